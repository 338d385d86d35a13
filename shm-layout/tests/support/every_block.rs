//! A function for every block, whatever the type of its payload.

/// Calls the function with every block in the order of the table, and the further arguments;
/// returns what it returns.
macro_rules! every_block {
    ($function:path $(, $argument:expr)*) => {{
        use shm_layout::blocks;
        let all = [
            $function(blocks::DRIVER $(, $argument)*),
            $function(blocks::SENSORS $(, $argument)*),
            $function(blocks::PLANT_INPUTS $(, $argument)*),
            $function(blocks::PLANT_OUTPUTS $(, $argument)*),
            $function(blocks::PLANT_STATE $(, $argument)*),
            $function(blocks::SUBSYSTEM_STATE $(, $argument)*),
            $function(blocks::KINEMATICS $(, $argument)*),
            $function(blocks::FORCES $(, $argument)*),
            $function(blocks::VEHICLE $(, $argument)*),
            $function(blocks::OVERRIDES $(, $argument)*),
            $function(blocks::CONTROL $(, $argument)*),
            $function(blocks::DAQ_HEALTH $(, $argument)*),
            $function(blocks::DYNAMICS_HEALTH $(, $argument)*),
            $function(blocks::SUBSYSTEM_HEALTH $(, $argument)*),
            $function(blocks::GATEWAY_HEALTH $(, $argument)*),
            $function(blocks::EXTERNAL_POWERTRAIN $(, $argument)*),
            $function(blocks::EXTERNAL_BRAKE $(, $argument)*),
            $function(blocks::EXTERNAL_STEERING $(, $argument)*),
            $function(blocks::EXTERNAL_AERODYNAMICS $(, $argument)*),
            $function(blocks::DAQ_STATE $(, $argument)*),
            $function(blocks::ACQUISITION $(, $argument)*),
            $function(blocks::DEMANDS $(, $argument)*),
            $function(blocks::NAMES $(, $argument)*),
            $function(blocks::DAQ_NAMES $(, $argument)*),
        ];
        assert_eq!(all.len(), blocks::CATALOGUE.len(), "a block of the table is missing here");
        all
    }};
}
