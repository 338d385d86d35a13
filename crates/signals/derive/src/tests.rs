//! What does not say enough about itself does not compile, and the message says what is missing.

use syn::{DeriveInput, parse_quote};

use crate::expand::expand;

/// The message with which the structure is refused.
fn refusal(input: DeriveInput) -> String {
    expand(&input).expect_err("it must not compile").to_string()
}

/// The message with which a field with this documentation is refused.
fn refusal_of_field(documentation: &str) -> String {
    refusal(parse_quote! {
        struct Wheel {
            #[doc = #documentation]
            speed_rad_s: f64,
        }
    })
}

#[test]
fn a_complete_field_compiles() {
    let input = parse_quote! {
        struct Wheel {
            /// [rad/s] [@frame W] [@range -500..500] [@invalid NaN] Speed about the axle.
            speed_rad_s: f64,
            /// What a nested structure is needs no unit.
            tyre: Tyre,
        }
    };
    let expanded = expand(&input).unwrap().to_string();
    for part in ["\"rad/s\"", "\"W\"", "\"-500..500\"", "\"NaN\"", "\"Speed about the axle.\""] {
        assert!(expanded.contains(part), "no {part} in {expanded}");
    }
}

#[test]
fn a_field_without_one_of_its_parts_is_refused() {
    for (documentation, missing) in [
        ("[@range 0..1] [@invalid NaN] Speed.", "no unit"),
        ("[rad/s] [@invalid NaN] Speed.", "no @range"),
        ("[rad/s] [@range 0..1] Speed.", "no @invalid"),
        ("[rad/s] [@range 0..1] [@invalid NaN]", "no description"),
        ("", "no unit"),
    ] {
        let message = refusal_of_field(documentation);
        assert!(message.contains(missing) && message.contains("expected"), "{documentation:?}: {message}");
    }
}

#[test]
fn a_field_with_a_wrong_tag_is_refused() {
    let message = refusal_of_field("[rad/s] [@rnage 0..1] [@invalid NaN] Speed.");
    assert!(message.contains("`@rnage 0..1`"), "{message}");
    let message = refusal_of_field("[rad/s] [@range 0..1 Speed.");
    assert!(message.contains("not closed"), "{message}");
}

#[test]
fn only_structures_with_named_fields_can_be_shared() {
    assert!(refusal(parse_quote! { struct Pair(f64, f64); }).contains("named fields"));
    assert!(refusal(parse_quote! { enum Gear { Forward, Reverse } }).contains("only a structure"));
}

#[test]
fn the_part_that_may_be_unused_is_the_last_and_has_a_count() {
    let message = refusal(parse_quote! {
        #[layout(count = "wheel_count", tail = "wheels")]
        struct Axles {
            wheels: [Wheel; 4],
            /// [-] [@range 0..4] [@invalid 0] How many wheels are in use.
            wheel_count: u64,
        }
    });
    assert!(message.contains("must be the last field"), "{message}");
    let message = refusal(parse_quote! {
        #[layout(tail = "wheels")]
        struct Axles {
            wheels: [Wheel; 4],
        }
    });
    assert!(message.contains("go together"), "{message}");
    let message = refusal(parse_quote! {
        #[layout(most = "wheels")]
        struct Axles {
            wheels: [Wheel; 4],
        }
    });
    assert!(message.contains("expected `count` or `tail`"), "{message}");
}
