//! Bytes as hexadecimal digits, two for each.

/// Writes bytes as hexadecimal digits.
#[must_use]
pub fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a text of hexadecimal digit pairs; `None` if it is not one.
#[must_use]
pub fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| (byte as char).to_digit(16);
    let bytes = digits.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some((digit(*high)? << 4 | digit(*low)?) as u8),
        _ => None,
    });
    bytes.collect()
}
