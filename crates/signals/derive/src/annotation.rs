//! The first line of a field's documentation: `[unit] [@frame V] [@range a..b] [@invalid x]
//! description`.

use syn::{Attribute, Error, Expr, ExprLit, Lit, Meta, Result, spanned::Spanned};

/// What the documentation of one field says.
pub struct Annotation {
    pub unit: String,
    pub frame: String,
    pub range: String,
    pub invalid: String,
    pub description: String,
}

/// Joins the `#[doc]` attributes into one text.
pub fn documentation(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Reads the annotation of a field that holds numbers; every part but the frame must be there.
pub fn parse(field: &syn::Field) -> Result<Annotation> {
    let text = documentation(&field.attrs);
    let mut annotation = Annotation {
        unit: String::new(),
        frame: "-".to_owned(),
        range: String::new(),
        invalid: String::new(),
        description: String::new(),
    };
    let mut rest = text.as_str();
    while let Some(inside) = rest.strip_prefix('[') {
        let (tag, after) = inside.split_once(']').ok_or_else(|| wrong(field, "a `[` that is not closed"))?;
        rest = after.trim_start();
        match tag.split_once(' ').unwrap_or((tag, "")) {
            ("@frame", value) => annotation.frame = value.to_owned(),
            ("@range", value) => annotation.range = value.to_owned(),
            ("@invalid", value) => annotation.invalid = value.to_owned(),
            _ if tag.starts_with('@') => return Err(wrong(field, &format!("the unknown tag `{tag}`"))),
            _ => annotation.unit = tag.to_owned(),
        }
    }
    annotation.description = rest.to_owned();
    for (part, value) in [
        ("unit", &annotation.unit),
        ("@range", &annotation.range),
        ("@invalid", &annotation.invalid),
        ("description", &annotation.description),
    ] {
        if value.is_empty() {
            return Err(wrong(field, &format!("no {part}")));
        }
    }
    Ok(annotation)
}

fn wrong(field: &syn::Field, what: &str) -> Error {
    Error::new(
        field.span(),
        format!("this shared field has {what}; expected `/// [unit] [@range a..b] [@invalid x] description`"),
    )
}
