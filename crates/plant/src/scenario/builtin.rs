//! The scenarios that are shipped, carried inside the program so that it runs from anywhere.

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../models/scenarios/", $name, ".toml")))),*]
    };
}

const SHIPPED: &[(&str, &str)] = shipped![
    "tank-level",
    "car-cruise",
    "tank-fig13",
    "tank-fig14",
    "tank-fig15",
    "tank-fig16",
    "tank-fig17",
    "tank-fig18",
    "tank-fig19",
    "car-fig21",
    "car-fig22",
    "car-fig23",
];

pub(super) fn names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

pub(super) fn text(name: &str) -> Option<&'static str> {
    SHIPPED
        .iter()
        .find(|(shipped, _)| *shipped == name)
        .map(|(_, text)| *text)
}
