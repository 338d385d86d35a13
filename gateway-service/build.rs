//! The page is carried in the program: a new one makes a new program.

fn main() {
    println!("cargo:rerun-if-changed=../dashboard/dist");
}
