//! `subsystem-service`: answers each step of `dynamics-service`.

fn main() -> std::process::ExitCode {
    let about = "Answers each step of dynamics-service with the inputs of the plant";
    service::main_of(shm_layout::Role::Subsystem, about, subsystem_service::run)
}
