//! From the parsed structure to the implementation of `Layout` and its compile-time assertions.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Field, Fields, Ident, LitStr, Result, Type};

use crate::annotation;

/// `#[layout(count = "…", tail = "…")]`.
#[derive(Default)]
struct Tail {
    count: Option<Ident>,
    tail: Option<Ident>,
}

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let fields = named_fields(input)?;
    let table = fields.iter().map(|field| table_entry(name, field)).collect::<Result<Vec<_>>>()?;
    let assertions = offset_assertions(name, &fields);
    let (used, accessor) = used_words(input, &fields)?;
    Ok(quote! {
        impl ::signals::Layout for #name {
            const FIELDS: &'static [::signals::Field] = &[#(#table),*];
            #[inline(always)]
            fn used_words(&self) -> usize { #used }
        }
        impl ::signals::Shape for #name {
            const KIND: ::signals::Kind = ::signals::Kind::Structure;
            const COUNT: usize = 1;
            const WORDS: usize = ::core::mem::size_of::<#name>() / 8;
            const NESTED: &'static [::signals::Field] = <#name as ::signals::Layout>::FIELDS;
        }
        #accessor
        #assertions
    })
}

fn named_fields(input: &DeriveInput) -> Result<Vec<Field>> {
    match &input.data {
        Data::Struct(structure) => match &structure.fields {
            Fields::Named(named) => Ok(named.named.iter().cloned().collect()),
            _ => Err(Error::new_spanned(input, "a shared structure has named fields")),
        },
        _ => Err(Error::new_spanned(input, "only a structure can be shared")),
    }
}

fn table_entry(structure: &Ident, field: &Field) -> Result<TokenStream> {
    let identifier = field.ident.as_ref().expect("fields are named");
    let name = identifier.to_string();
    let kind = &field.ty;
    let (unit, frame, range, invalid, description) = if holds_numbers(kind) {
        let found = annotation::parse(field)?;
        (found.unit, found.frame, found.range, found.invalid, found.description)
    } else {
        let text = annotation::documentation(&field.attrs);
        (String::new(), String::new(), String::new(), String::new(), text)
    };
    Ok(quote! {
        ::signals::Field {
            name: #name,
            unit: #unit,
            frame: #frame,
            range: #range,
            invalid: #invalid,
            description: #description,
            word: ::core::mem::offset_of!(#structure, #identifier) / 8,
            kind: <#kind as ::signals::Shape>::KIND,
            count: <#kind as ::signals::Shape>::COUNT,
            words_each: <#kind as ::signals::Shape>::WORDS,
            parts: <#kind as ::signals::Shape>::PARTS,
            nested: <#kind as ::signals::Shape>::NESTED,
        }
    })
}

/// Numbers and vectors need a unit; a nested structure documents its own fields.
fn holds_numbers(kind: &Type) -> bool {
    match kind {
        Type::Array(array) => holds_numbers(&array.elem),
        Type::Path(path) => {
            let numbers = ["f64", "u64", "i64", "Vector3", "Quaternion"];
            numbers.iter().any(|number| path.path.is_ident(number))
        }
        _ => false,
    }
}

/// Each field stands directly behind the one before it, and nothing follows the last.
fn offset_assertions(structure: &Ident, fields: &[Field]) -> TokenStream {
    let mut checks = Vec::new();
    let mut before = quote!(0usize);
    for field in fields {
        let identifier = &field.ident;
        let kind = &field.ty;
        checks.push(quote! {
            assert!(::core::mem::offset_of!(#structure, #identifier) == #before, "a shared field has moved");
        });
        before = quote!(#before + ::core::mem::size_of::<#kind>());
    }
    quote! {
        const _: () = {
            #(#checks)*
            assert!(::core::mem::size_of::<#structure>() == #before, "a shared structure has padding");
            assert!(::core::mem::size_of::<#structure>() % 8 == 0, "a shared structure is made of 8-byte words");
            assert!(::core::mem::align_of::<#structure>() == 8, "a shared structure is aligned to 8 bytes");
        };
    }
}

/// How many words are in use; and, where a field counts them, the elements of the last field that
/// are.
fn used_words(input: &DeriveInput, fields: &[Field]) -> Result<(TokenStream, Option<TokenStream>)> {
    let Tail { count: Some(count), tail: Some(tail) } = tail_attribute(input)? else {
        return Ok((quote!(<Self as ::signals::Shape>::WORDS), None));
    };
    let last = fields.last().ok_or_else(|| Error::new_spanned(input, "no fields"))?;
    let (name, Type::Array(array), true) = (&input.ident, &last.ty, last.ident.as_ref() == Some(&tail)) else {
        return Err(Error::new_spanned(&tail, "the part that may be unused must be the last field, an array"));
    };
    let element = &array.elem;
    let documentation = format!("Those of `{tail}` that are in use.");
    let used = quote! {
        ::core::mem::offset_of!(Self, #tail) / 8 + self.#tail().len() * <#element as ::signals::Shape>::WORDS
    };
    let accessor = quote! {
        impl #name {
            #[doc = #documentation]
            #[inline(always)]
            pub fn #tail(&self) -> &[#element] {
                &self.#tail[..(self.#count as usize).min(self.#tail.len())]
            }
        }
    };
    Ok((used, Some(accessor)))
}

fn tail_attribute(input: &DeriveInput) -> Result<Tail> {
    let mut found = Tail::default();
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("layout")) {
        attribute.parse_nested_meta(|meta| {
            let name: LitStr = meta.value()?.parse()?;
            let identifier: Ident = name.parse()?;
            match meta.path.get_ident().map(ToString::to_string).as_deref() {
                Some("count") => found.count = Some(identifier),
                Some("tail") => found.tail = Some(identifier),
                _ => return Err(meta.error("expected `count` or `tail`")),
            }
            Ok(())
        })?;
    }
    if found.count.is_some() != found.tail.is_some() {
        return Err(Error::new_spanned(input, "`count` and `tail` go together"));
    }
    Ok(found)
}
