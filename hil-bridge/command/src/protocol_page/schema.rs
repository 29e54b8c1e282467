//! The types of messages as JSON, for programs in other languages that read and write them.

use std::collections::BTreeMap;

use postcard_schema::Schema;
use postcard_schema::schema::{DataModelType, DataModelVariant, NamedType, NamedValue};
use protocol::{ToDevice, ToHost};
use serde_json::{Map, Value, json};

/// The types of which the two messages consist, by name.
#[must_use]
pub fn types() -> Value {
    let mut types = BTreeMap::new();
    for message in [ToDevice::SCHEMA, ToHost::SCHEMA] {
        collect(message, &mut types);
    }
    Value::Object(types.into_iter().collect::<Map<String, Value>>())
}

/// Adds a type with fields or variants to the list, and all types that it contains.
fn collect(named: &'static NamedType, types: &mut BTreeMap<String, Value>) {
    let told = match named.ty {
        DataModelType::Struct(fields) => json!({ "struct": fields_of(fields, types) }),
        DataModelType::Enum(variants) if named.name != "Result<T, E>" => {
            let variants: Vec<Value> = variants
                .iter()
                .map(|variant| variant_of(variant.name, variant.ty, types))
                .collect();
            json!({ "enum": variants })
        }
        _ => {
            reference(named, types);
            return;
        }
    };
    types.insert(named.name.to_owned(), told);
}

fn fields_of(
    fields: &'static [&'static NamedValue],
    types: &mut BTreeMap<String, Value>,
) -> Vec<Value> {
    let field = |field: &&'static NamedValue| json!([field.name, reference(field.ty, types)]);
    fields.iter().map(field).collect()
}

fn variant_of(
    name: &str,
    variant: &'static DataModelVariant,
    types: &mut BTreeMap<String, Value>,
) -> Value {
    match variant {
        DataModelVariant::UnitVariant => json!([name]),
        DataModelVariant::NewtypeVariant(of) | DataModelVariant::TupleVariant([of]) => {
            json!([name, reference(of, types)])
        }
        DataModelVariant::TupleVariant(of) => {
            let parts: Vec<Value> = of.iter().map(|part| reference(part, types)).collect();
            json!([name, { "tuple": parts }])
        }
        DataModelVariant::StructVariant(fields) => {
            json!([name, { "struct": fields_of(fields, types) }])
        }
    }
}

/// The reference to a type: `"u32"`, `{"list": "u8"}`, `"Layout"`.
fn reference(named: &'static NamedType, types: &mut BTreeMap<String, Value>) -> Value {
    match named.ty {
        DataModelType::Bool => json!("bool"),
        DataModelType::U8 => json!("u8"),
        DataModelType::U16 => json!("u16"),
        DataModelType::U32 => json!("u32"),
        DataModelType::U64 => json!("u64"),
        DataModelType::String => json!("text"),
        DataModelType::Option(of) => json!({ "option": reference(of, types) }),
        DataModelType::Seq(of) => json!({ "list": reference(of, types) }),
        // A wrapper is encoded like its contents.
        DataModelType::NewtypeStruct(of) => reference(of, types),
        DataModelType::Tuple(of) => {
            let parts: Vec<Value> = of.iter().map(|part| reference(part, types)).collect();
            json!({ "tuple": parts })
        }
        DataModelType::Enum(variants) if named.name == "Result<T, E>" => {
            let variants: Vec<Value> = variants
                .iter()
                .map(|variant| variant_of(variant.name, variant.ty, types))
                .collect();
            json!({ "enum": variants })
        }
        DataModelType::Struct(_) | DataModelType::Enum(_) => {
            if !types.contains_key(named.name) {
                collect(named, types);
            }
            json!(named.name)
        }
        // No message contains such a type; the test of the page would show it.
        _ => json!({ "unknown": named.name }),
    }
}
