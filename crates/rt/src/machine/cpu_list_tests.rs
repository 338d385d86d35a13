//! The notations of the kernel, read and written back.

use super::*;
use proptest::prelude::*;

fn list(text: &str) -> Vec<usize> {
    text.parse::<CpuList>().unwrap().iter().collect()
}

#[test]
fn lists_of_the_kernel_are_read() {
    assert_eq!(list(""), Vec::<usize>::new());
    assert_eq!(list("7\n"), [7]);
    assert_eq!(list("0-3,5"), [0, 1, 2, 3, 5]);
    assert_eq!(list("5, 1-2 ,1"), [1, 2, 5]);
}

#[test]
fn strides_take_the_first_cpus_of_each_group() {
    assert_eq!(list("0-3,5,8-11:2/4"), [0, 1, 2, 3, 5, 8, 9]);
    assert_eq!(list("0-9:1/3"), [0, 3, 6, 9]);
    assert_eq!(list("2-9:2/4"), [2, 3, 6, 7]);
}

#[test]
fn each_kind_of_nonsense_has_its_error() {
    let error = |text: &str| text.parse::<CpuList>().unwrap_err();
    assert!(matches!(error("0,x"), CpuListError::NotANumber { part, .. } if part == "x"));
    assert!(matches!(error("0,,1"), CpuListError::NotANumber { .. }));
    assert!(matches!(error("-1"), CpuListError::NotANumber { .. }));
    assert!(matches!(error("(null)"), CpuListError::NotANumber { .. }));
    assert!(matches!(error("3-1"), CpuListError::Backwards { first: 3, last: 1, .. }));
    assert!(matches!(error("0-7:0/4"), CpuListError::Stride { .. }));
    assert!(matches!(error("0-7:5/4"), CpuListError::Stride { .. }));
    assert!(matches!(error("0-7:2"), CpuListError::Stride { .. }));
    assert!(matches!(error("0-4000000000"), CpuListError::TooLarge { cpu: 4_000_000_000, .. }));
}

#[test]
fn errors_name_the_part_and_the_list() {
    let message = "0-2,five".parse::<CpuList>().unwrap_err().to_string();
    assert_eq!(message, "expected a CPU number or a range such as 2-5, found \"five\" in \"0-2,five\"");
}

#[test]
fn parameters_know_all_and_the_last_cpu() {
    let read = |text| CpuList::from_parameter(text, 5).unwrap().to_string();
    assert_eq!(read("all"), "0-5");
    assert_eq!(read("1-N"), "1-5");
    assert_eq!(read("2,4"), "2,4");
}

#[test]
fn masks_are_read_and_written() {
    let read = |text| CpuList::from_mask(text).unwrap().to_string();
    assert_eq!(read("3\n"), "0-1");
    assert_eq!(read("1,00000005"), "0,2,32");
    assert_eq!("0,2,32".parse::<CpuList>().unwrap().to_mask(), "1,00000005");
    assert_eq!(CpuList::new().to_mask(), "0");
    assert!(CpuList::from_mask("xyz").is_err());
}

#[test]
fn the_empty_list_is_written_as_none_and_serialised_as_an_empty_array() {
    assert_eq!(CpuList::new().to_string(), "none");
    assert_eq!(serde_json::to_string(&CpuList::new()).unwrap(), "[]");
    assert_eq!(serde_json::to_string(&"1-3".parse::<CpuList>().unwrap()).unwrap(), "[1,2,3]");
}

proptest! {
    #[test]
    fn writing_and_reading_give_the_same_set(cpus in prop::collection::btree_set(0_usize..300, 1..40)) {
        let cpus: CpuList = cpus.into_iter().collect();
        prop_assert_eq!(&cpus.to_string().parse::<CpuList>().unwrap(), &cpus);
        prop_assert_eq!(&CpuList::from_mask(&cpus.to_mask()).unwrap(), &cpus);
    }
}
