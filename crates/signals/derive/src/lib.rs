//! `#[derive(Layout)]`: reads the declaration of a shared structure and writes down its layout.
//!
//! A payload is declared once, as a plain `#[repr(C)]` structure whose fields carry their meaning
//! in the first line of their documentation:
//!
//! ```text
//! /// [rad/s] [@frame V] [@range -10..10] [@invalid NaN] Yaw rate, positive to the left.
//! pub yaw_rate_rad_s: f64,
//! ```
//!
//! From that the derive makes the field table (the source of the signal index library and of the
//! layout hash), the compile-time assertions that no field moved and that no padding crept in, and
//! the rule for how much of the payload is in use. A field without unit, range or invalid value
//! does not compile.

mod annotation;
mod expand;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `signals::Layout`; see the crate's documentation for the syntax of the fields.
///
/// `#[layout(count = "wheel_count", tail = "wheels")]` names the field that says how many elements
/// of the last field, an array, are in use: only those are copied.
#[proc_macro_derive(Layout, attributes(layout))]
pub fn derive_layout(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
