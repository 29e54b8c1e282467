//! A state as a list of named values for people: points have their names, everything else
//! is as in the source.
//!
//! Invariants: two states of the same shape have the same list of names; two different
//! states differ in at least one value.

use std::fmt::{self, Display};

use protocol::{Layout, Point, Roster};
use serde::ser::{self, Serialize, Serializer};

/// A value without parts, and its path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateField {
    /// The names of the enclosing structures and of the field: `panel.settings.mode`.
    pub path: String,
    /// The value of the field, as text.
    pub value: String,
}

/// A part of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePart {
    /// The name of the field.
    pub name: String,
    /// How many bytes it takes in a snapshot.
    pub bytes: usize,
}

/// Every value of a state, in order. Points are named as on a board of this
/// layout.
#[must_use]
pub fn fields_of(state: &impl Serialize, layout: Layout) -> Vec<StateField> {
    let mut walk = Walk {
        layout,
        path: Vec::new(),
        fields: Vec::new(),
        parts: Vec::new(),
    };
    // Walking a state cannot fail.
    let _ = state.serialize(&mut walk);
    walk.fields
}

/// The parts of a state, in order.
#[must_use]
pub fn parts_of(state: &impl Serialize) -> Vec<StatePart> {
    let mut walk = Walk {
        layout: Layout::MALDOO,
        path: Vec::new(),
        fields: Vec::new(),
        parts: Vec::new(),
    };
    // As above.
    let _ = state.serialize(&mut walk);
    walk.parts
}

struct Walk {
    layout: Layout,
    path: Vec<String>,
    fields: Vec<StateField>,
    /// The outermost parts.
    parts: Vec<StatePart>,
}

impl Walk {
    fn field(&mut self, value: impl Display) -> Result<(), Never> {
        self.fields.push(StateField {
            path: self.path.join("."),
            value: value.to_string(),
        });
        Ok(())
    }

    fn part(&mut self, name: impl Display, value: &(impl Serialize + ?Sized)) -> Result<(), Never> {
        if self.path.is_empty() {
            // Whatever can be walked through can be written.
            let bytes = postcard::experimental::serialized_size(value);
            self.parts.push(StatePart {
                name: name.to_string(),
                bytes: bytes.unwrap_or_default(),
            });
        }
        self.path.push(name.to_string());
        let done = value.serialize(&mut *self);
        self.path.pop();
        done
    }

    /// The fields of a structure, with the variant's name in their path if it is a variant.
    fn parts(&mut self, variant: Option<&str>) -> Parts<'_> {
        self.path.extend(variant.map(str::to_owned));
        Parts {
            is_variant: variant.is_some(),
            walk: self,
            next: 0,
        }
    }

    /// A set of points, as the bits of a word.
    fn points(&mut self, word: &(impl Serialize + ?Sized)) -> Result<(), Never> {
        let text = serde_json::to_string(word).unwrap_or_default();
        let digits = text.split(|letter: char| !letter.is_ascii_digit());
        let halves = digits.filter_map(|digits| digits.parse::<u128>().ok());
        let bits = halves.flat_map(|half| (0..u128::BITS).map(move |bit| half >> bit & 1 == 1));
        let names: Vec<String> = bits
            .zip(0..=u8::MAX)
            .filter(|(bit, _)| *bit)
            .map(|(_, index)| self.name(Point(index)))
            .collect();
        if names.is_empty() {
            self.field("no point")
        } else {
            self.field(names.join(" "))
        }
    }

    fn name(&self, point: Point) -> String {
        if self.layout.has(point) {
            self.layout.name(point).to_string()
        } else {
            format!("point {}", point.0)
        }
    }
}

/// The error type that serde requires; never returned.
#[derive(Debug)]
struct Never(String);

impl Display for Never {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Never {}

impl ser::Error for Never {
    fn custom<T: Display>(message: T) -> Never {
        Never(message.to_string())
    }
}

macro_rules! fields {
    ($($method:ident $type:ty;)*) => { $(
        fn $method(self, value: $type) -> Result<(), Never> {
            self.field(value)
        }
    )* };
}

macro_rules! parts {
    ($($method:ident($($type:ty),*);)*) => { $(
        fn $method(self, $(_: $type),*) -> Result<Parts<'a>, Never> {
            Ok(self.parts(None))
        }
    )* };
}

macro_rules! parts_of_variant {
    ($($method:ident)*) => { $(
        fn $method(
            self,
            _: &'static str,
            _: u32,
            variant: &'static str,
            _: usize,
        ) -> Result<Parts<'a>, Never> {
            Ok(self.parts(Some(variant)))
        }
    )* };
}

impl<'a> Serializer for &'a mut Walk {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    fields! {
        serialize_bool bool;
        serialize_i8 i8; serialize_i16 i16; serialize_i32 i32; serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8; serialize_u16 u16; serialize_u32 u32; serialize_u64 u64;
        serialize_u128 u128;
        serialize_f32 f32; serialize_f64 f64;
        serialize_char char; serialize_str &str;
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Never> {
        self.field(format_args!("{bytes:02x?}"))
    }

    fn serialize_none(self) -> Result<(), Never> {
        self.field("none")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Never> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Never> {
        self.field("nothing")
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<(), Never> {
        self.field(name)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Never> {
        self.field(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        match name {
            "Points" => self.points(value),
            "Point" => {
                let index = serde_json::to_string(value).unwrap_or_default();
                let point = index.parse().map(|index| self.name(Point(index)));
                self.field(point.unwrap_or(index))
            }
            "Roster" => {
                let bits = serde_json::to_value(value).unwrap_or_default();
                match serde_json::from_value::<Roster>(bits) {
                    Ok(roster) => self.field(roster),
                    Err(_) => value.serialize(self),
                }
            }
            _ => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        self.part(variant, value)
    }

    parts! {
        serialize_seq(Option<usize>);
        serialize_tuple(usize);
        serialize_tuple_struct(&'static str, usize);
        serialize_map(Option<usize>);
        serialize_struct(&'static str, usize);
    }

    parts_of_variant! { serialize_tuple_variant serialize_struct_variant }
}

/// The structure or list whose parts are being visited.
struct Parts<'a> {
    walk: &'a mut Walk,
    is_variant: bool,
    /// The index of the next part, if parts have no names.
    next: usize,
}

impl Parts<'_> {
    fn next(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Never> {
        let number = self.next;
        self.next += 1;
        self.walk.part(number, value)
    }

    fn done(self) -> Result<(), Never> {
        if self.is_variant {
            self.walk.path.pop();
        }
        Ok(())
    }
}

macro_rules! numbered {
    ($($trait:ident $method:ident;)*) => { $(
        impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Never;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
                self.next(value)
            }

            fn end(self) -> Result<(), Never> {
                self.done()
            }
        }
    )* };
}

numbered! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! named {
    ($($trait:ident;)*) => { $(
        impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Never;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Never> {
                self.walk.part(name, value)
            }

            fn end(self) -> Result<(), Never> {
                self.done()
            }
        }
    )* };
}

named! {
    SerializeStruct;
    SerializeStructVariant;
}

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Never> {
        self.next(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        self.next(value)
    }

    fn end(self) -> Result<(), Never> {
        self.done()
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::{AnyBoard, Points, Wide, Word};
    use protocol::{Button, Deed, Input, Settings};

    use super::*;

    fn find<'a>(fields: &'a [StateField], path: &str) -> &'a str {
        let field = fields.iter().find(|field| field.path == path);
        &field
            .unwrap_or_else(|| panic!("no {path} in {fields:?}"))
            .value
    }

    #[test]
    fn values_have_the_path_of_their_fields() {
        let mut board = AnyBoard::new(Layout::MALDOO, 7).unwrap();
        let settings = Settings {
            level: 3,
            ..Settings::default()
        };
        board
            .carry_out(&Deed::Settings(settings), &mut |_, _| ())
            .unwrap();
        let fields = fields_of(&board, Layout::MALDOO);
        assert_eq!(find(&fields, "panel.settings.level"), "3");
    }

    #[test]
    fn sets_of_points_are_their_names_on_every_width() {
        let names = |set: &dyn Fn(&mut Walk), layout| {
            let mut walk = Walk {
                layout,
                path: Vec::new(),
                fields: Vec::new(),
                parts: Vec::new(),
            };
            set(&mut walk);
            walk.fields.remove(0).value
        };
        let narrow = Points(1u64 << 63 | 1);
        let eight = Layout::grid(8, 8).unwrap();
        let of = |walk: &mut Walk| narrow.serialize(walk).unwrap();
        assert_eq!(names(&of, eight), "a8 h1");
        let wide = Points(Wide::bit(255) | Wide::bit(128) | Wide::bit(127));
        let of = |walk: &mut Walk| wide.serialize(walk).unwrap();
        assert_eq!(names(&of, Layout::grid(16, 16).unwrap()), "p9 a8 p1");
        let of = |walk: &mut Walk| Points(0u128).serialize(walk).unwrap();
        assert_eq!(names(&of, Layout::MALDOO), "no point");
    }

    #[test]
    fn the_parts_of_a_state_add_up_to_the_snapshot() {
        let mut board = AnyBoard::new(Layout::MALDOO, 7).unwrap();
        let snapshot_bytes = |board: &AnyBoard| {
            let mut buffer = vec![0; firmware_core::SNAPSHOT_BYTES];
            board.save(&mut buffer).unwrap().len()
        };
        let sum =
            |board: &AnyBoard| -> usize { parts_of(board).iter().map(|part| part.bytes).sum() };
        let envelope = snapshot_bytes(&board) - sum(&board);
        let parts = parts_of(&board);
        assert!(parts.iter().any(|part| part.name == "panel"), "{parts:?}");
        board.input(Input::Press(Button::Start), &mut |_, _| ());
        assert!(sum(&board) > parts.iter().map(|part| part.bytes).sum());
        assert_eq!(snapshot_bytes(&board) - sum(&board), envelope);
    }

    #[test]
    fn all_fields_of_a_running_game_are_listed() {
        let mut board = AnyBoard::new(Layout::MALDOO, 7).unwrap();
        let idle = fields_of(&board, Layout::MALDOO).len();
        board.input(Input::Press(Button::Start), &mut |_, _| ());
        let fields = fields_of(&board, Layout::MALDOO);
        assert!(fields.len() > idle + 3);
        let stones = fields.iter().filter(|field| field.path.contains("Reversi"));
        let green = stones.filter(|field| field.value == "e6 d5");
        assert_eq!(green.count(), 1, "{fields:?}");
    }
}
