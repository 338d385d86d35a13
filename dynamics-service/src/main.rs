//! `dynamics-service`: steps one plant on the clock, in lock-step with `subsystem-service`.

fn main() -> std::process::ExitCode {
    let about = "Steps one plant on the clock, in lock-step with subsystem-service";
    service::main_of(shm_layout::Role::Dynamics, about, dynamics_service::run)
}
