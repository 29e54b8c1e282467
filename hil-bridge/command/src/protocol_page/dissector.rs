//! The dissector for Wireshark: a Lua program that decodes messages with a table of their
//! types, which is generated from the types of this build.

use protocol::{PROTOCOL_VERSION, SCHEMA_HASH};
use serde_json::Value;

use super::schema;

/// The program, in which the table of types replaces [`TABLE`].
const PROGRAM: &str = include_str!("dissector.lua");
/// The placeholder that the table replaces.
const TABLE: &str = "--[[ types of messages ]]\n";

/// The dissector, as the file that Wireshark loads.
#[must_use]
pub fn dissector() -> String {
    let mut table = format!(
        "local VERSION = {PROTOCOL_VERSION}\nlocal SCHEMA = \"{SCHEMA_HASH:016x}\"\nlocal TYPES = {{\n"
    );
    let types = schema::types();
    for (name, told) in types.as_object().into_iter().flatten() {
        table += &format!("  [\"{name}\"] = {},\n", in_lua(told));
    }
    table += "}\n";
    PROGRAM.replace(TABLE, &table)
}

/// Converts a JSON value to Lua.
fn in_lua(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(in_lua).collect();
            format!("{{ {} }}", values.join(", "))
        }
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{name} = {}", in_lua(value));
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        other => other.to_string(),
    }
}
