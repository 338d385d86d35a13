/* The shared region of rtrd: payloads, offsets and fields.
 *
 * Generated from the declarations in crates/signals/src/blocks; do not edit. To make it again:
 *     RTRD_UPDATE_HEADER=1 cargo test -p shm-layout --test c_header
 *
 * C11 and C++17. A reader that uses it is rtrd_reader.h.
 */
#ifndef RTRD_H
#define RTRD_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

// Three components along the axes of the frame that the field names.
typedef struct RtrdVector3 {
    double x;
    double y;
    double z;
} RtrdVector3;

// An orientation as a unit quaternion, scalar part first.
typedef struct RtrdQuaternion {
    double w;
    double x;
    double y;
    double z;
} RtrdQuaternion;

// Raised when the meaning of the header or of a block's control words changes.
#define RTRD_LAYOUT_VERSION 1

// Lines of the table of blocks in the header.
#define RTRD_TABLE_MAX 40

// Bytes of a block's name in the header, with at least one zero at the end.
#define RTRD_NAME_BYTES 32

// Most sources that feed one instance.
#define RTRD_SOURCES_MAX 8

// Most channels of all sources together.
#define RTRD_ACQUISITION_CHANNELS_MAX 32

// Processes that the supervisor can look after.
#define RTRD_PROCESSES_MAX 8

// The run goes on.
#define RTRD_MODE_RUN 1

// The run is over: all processes end.
#define RTRD_MODE_STOP 2

// Most demands that a scenario may have.
#define RTRD_DEMANDS_MAX 64

// Room for the buckets of one histogram.
#define RTRD_HISTOGRAM_BUCKETS_MAX 512

// The process is setting itself up.
#define RTRD_STATE_STARTING 1

// The process is in its loop.
#define RTRD_STATE_RUNNING 2

// The process has ended as it was asked to.
#define RTRD_STATE_STOPPED 3

// The process is in its loop but its model has failed; it holds its last values.
#define RTRD_STATE_FAULT 4

// Most wheels of a vehicle.
#define RTRD_WHEELS_MAX 24

// Words of text; what does not fit is left out, whole lines at a time.
#define RTRD_NAMES_WORDS_MAX 8000

// Most signals that can be overridden at a time.
#define RTRD_OVERRIDES_MAX 64

// The run's own driver drives.
#define RTRD_SEAT_OF_RUN 0

// A person at the gateway drives.
#define RTRD_SEAT_TAKEN 1

// A person drove and let go: the vehicle stops safely and stands.
#define RTRD_SEAT_LEFT 2

// The run goes at its own pace: a step in every period.
#define RTRD_PACE_OF_RUN 1.0

// The run is held: no step, but for single ones that are asked for.
#define RTRD_PACE_HELD 0.0

// Most inputs of a plant.
#define RTRD_PLANT_INPUTS_MAX 64

// Most outputs of a plant.
#define RTRD_PLANT_OUTPUTS_MAX 256

// Most numbers that a process keeps for its own restart.
#define RTRD_STATES_MAX 256

// Tri-axial accelerometers on the body.
#define RTRD_ACCELEROMETERS 4

// Most further channels.
#define RTRD_CHANNELS_MAX 64

// When a payload was made, and for which step.
typedef struct RtrdStamp {
    // [-] [@range 0..18446744073709551615] [@invalid 0] Step number that the payload belongs to;
    // the first step is 1.
    uint64_t step;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time at which the data was
    // sampled.
    uint64_t sample_ns;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time at which the payload was
    // published.
    uint64_t publish_ns;
} RtrdStamp;

// One block in the header, for readers that were not compiled against this layout.
typedef struct RtrdTableLine {
    // Name, filled up with zeros.
    uint8_t name[RTRD_NAME_BYTES];
    // Number.
    uint64_t number;
    // Where the block starts, in bytes from the start of the region.
    uint64_t offset_bytes;
    // Bytes of the block, a whole number of pages.
    uint64_t size_bytes;
    // Words of the payload.
    uint64_t payload_words;
    // Words of a slot.
    uint64_t slot_words;
    // Slots of the block.
    uint64_t slot_count;
} RtrdTableLine;

// The first page of a region.
typedef struct RtrdHeader {
    // RTRD_MAGIC.
    uint64_t magic;
    // RTRD_LAYOUT_VERSION.
    uint64_t layout_version;
    // RTRD_LAYOUT_HASH.
    uint64_t layout_hash;
    // Bytes of the region.
    uint64_t region_bytes;
    // Tells one run of an instance from the next: wall-clock nanoseconds of its creation.
    uint64_t instance_epoch;
    // Process that made the region.
    uint64_t creator_pid;
    // Lines of the table that are in use.
    uint64_t block_count;
    // Zero.
    uint64_t reserved;
    // The blocks.
    struct RtrdTableLine table[RTRD_TABLE_MAX];
} RtrdHeader;

// How a source is, and what it has seen since the process began.
typedef struct RtrdSourceStatus {
    // [-] [@range 0..6] [@invalid 0] 0 not in use, 1 waiting for the first data, 2 flowing, 3
    // stalled, 4 gone, 5 ended, 6 bytes swapped.
    uint64_t state;
    // [-] [@range 1..4] [@invalid 0] Clock of its sample times: 1 arrival, 2 kernel, 3 hardware, 4
    // recorded.
    uint64_t clock;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Sample time of its newest sample.
    uint64_t sample_ns;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Whole samples taken.
    uint64_t blocks;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Bytes taken.
    uint64_t bytes;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Opportunities at which nothing had
    // arrived.
    uint64_t empty_reads;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Opportunities at which more than one
    // sample had arrived.
    uint64_t bursts;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Most samples at one opportunity.
    uint64_t largest_burst;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Opportunities that ended inside a sample.
    uint64_t remainders;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Samples that are missing, by their
    // numbers.
    uint64_t lost;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Samples that came again.
    uint64_t duplicated;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Samples that were refused.
    uint64_t corrupted;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Times that the beginning of a sample had
    // to be searched for.
    uint64_t resynchronised;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Times that it was opened again.
    uint64_t reconnects;
} RtrdSourceStatus;

// One channel, from the raw number to the value that is used.
typedef struct RtrdChannelStatus {
    // [-] [@range -1e308..1e308] [@invalid NaN] The number as the source delivered it.
    double raw;
    // [-] [@range -1e308..1e308] [@invalid NaN] The calibrated value after the plausibility
    // checks, in the unit of the file.
    double value;
    // [-] [@range -1e308..1e308] [@invalid NaN] Its rate (1/s).
    double rate;
    // [-] [@range -1e308..1e308] [@invalid NaN] Its acceleration (1/s²).
    double acceleration;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] When the number was measured.
    uint64_t sample_ns;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] How old it was when it was published.
    uint64_t age_ns;
    // [-] [@range 0..31] [@invalid 0] What is wrong with it now: bits 1 out of range, 2 stuck, 4
    // jump, 8 stale, 16 not a number.
    uint64_t faults;
    // [-] [@range 0..3] [@invalid 0] What is done about it: 0 nothing, 1 held, 2 ramped to its
    // safe value, 3 stop asked for.
    uint64_t reaction;
    // [-] [@range 0..18446744073709551615] [@invalid 0] How often a fault has begun.
    uint64_t fault_count;
} RtrdChannelStatus;

// What the sources deliver and how far it can be believed. The names are in the acquisition file,
// in the same order.
typedef struct RtrdAcquisition {
    // When; the step counts publications.
    struct RtrdStamp stamp;
    // [-] [@range 0..8] [@invalid 0] How many sources are in use.
    uint64_t source_count;
    // The sources, in the order of the file.
    struct RtrdSourceStatus sources[RTRD_SOURCES_MAX];
    // [-] [@range 0..32] [@invalid 0] How many channels are in use.
    uint64_t channel_count;
    // The channels, in the order of the file.
    struct RtrdChannelStatus channels[RTRD_ACQUISITION_CHANNELS_MAX];
} RtrdAcquisition;

// What the supervisor asks of all processes.
typedef struct RtrdControl {
    // When.
    struct RtrdStamp stamp;
    // [-] [@range 1..2] [@invalid 0] What is asked for: 1 run, 2 stop.
    uint64_t mode;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time at which the run was
    // started.
    uint64_t started_ns;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Period of the simulation step.
    uint64_t period_ns;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Process number of the supervisor.
    uint64_t supervisor_pid;
    // [-] [@range 0..18446744073709551615] [@invalid 0] How often each process was restarted: daq,
    // subsystem, dynamics.
    uint64_t restarts[RTRD_PROCESSES_MAX];
} RtrdControl;

// What the operator of a plant asks for.
typedef struct RtrdDemands {
    // When and for which step.
    struct RtrdStamp stamp;
    // [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] Age at publication:
    // from the oldest number's sample to `publish_ns`.
    uint64_t age_ns;
    // [-] [@range 0..64] [@invalid 0] How many demands are in use.
    uint64_t demand_count;
    // [-] [@range -1e308..1e308] [@invalid NaN] Set-points and direct plant inputs, in the order
    // of the scenario file.
    double demands[RTRD_DEMANDS_MAX];
} RtrdDemands;

// Motion of what steers the vehicle, positive to the left. A vehicle has one of both; the other is
// not known.
typedef struct RtrdSteeringMotion {
    // [m] [@frame V] [@range -0.3..0.3] [@invalid NaN] Displacement of the steering rack.
    double rack_displacement_m;
    // [m/s] [@frame V] [@range -20..20] [@invalid NaN] Velocity of the steering rack.
    double rack_velocity_m_s;
    // [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the steering rack.
    double rack_acceleration_m_s2;
    // [rad] [@frame V] [@range -1.5..1.5] [@invalid NaN] Angle of the steered wheels.
    double angle_rad;
    // [rad/s] [@frame V] [@range -20..20] [@invalid NaN] Rate of that angle.
    double rate_rad_s;
    // [rad/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of that angle.
    double acceleration_rad_s2;
} RtrdSteeringMotion;
// Neither is known.

// What the driver does.
typedef struct RtrdDriverInput {
    // When and for which step.
    struct RtrdStamp stamp;
    // [rad] [@range -20..20] [@invalid NaN] Steering-wheel angle, positive to the left.
    double steering_angle_rad;
    // [rad/s] [@range -50..50] [@invalid NaN] Steering-wheel rate, positive to the left.
    double steering_rate_rad_s;
    // [rad/s²] [@range -1000..1000] [@invalid NaN] Steering-wheel acceleration, positive to the
    // left.
    double steering_acceleration_rad_s2;
    // [Nm] [@range -100..100] [@invalid NaN] Torque of the driver on the steering wheel, positive
    // to the left.
    double steering_torque_nm;
    // [-] [@range 0..1] [@invalid NaN] Throttle pedal, 1 = fully pressed.
    double throttle_ratio;
    // [-] [@range 0..1] [@invalid NaN] Brake pedal, 1 = fully pressed.
    double brake_ratio;
    // [bar] [@range 0..200] [@invalid NaN] Brake line pressure; where it is known it counts
    // instead of the pedal.
    double brake_pressure_bar;
    // [-] [@range 0..1] [@invalid NaN] Clutch pedal, 1 = fully pressed.
    double clutch_ratio;
    // [-] [@range -1..12] [@invalid -128] Gear asked for: -1 reverse, 0 neutral; where it is not
    // known the gearbox chooses.
    int64_t gear;
    // [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] Age at publication:
    // from the oldest number's sample to `publish_ns`.
    uint64_t age_ns;
    // Where a manoeuvre moves what steers the wheels: it then counts instead of the steering
    // wheel.
    struct RtrdSteeringMotion imposed;
} RtrdDriverInput;
// No gear is asked for.
// Hands and feet off: everything that is measured is known and zero.

// What an external subsystem does to one wheel.
typedef struct RtrdExternalWheel {
    // [Nm] [@frame W] [@range -1e5..1e5] [@invalid NaN] Torque of the drive shaft on the wheel
    // (powertrain).
    double drive_torque_nm;
    // [Nm] [@frame W] [@range 0..1e5] [@invalid NaN] Largest torque that the brake can hold about
    // the axle (brake).
    double brake_torque_nm;
} RtrdExternalWheel;

// The answer of an external subsystem.
typedef struct RtrdExternal {
    // When and for which step; the step is that of the kinematics which are answered.
    struct RtrdStamp stamp;
    // [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force at the vehicle's origin
    // (aerodynamics).
    RtrdVector3 body_force_n;
    // [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque on the body (aerodynamics).
    RtrdVector3 body_torque_nm;
    // What steers the vehicle, at the end of the step (steering).
    struct RtrdSteeringMotion steering;
    // [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    uint64_t wheel_count;
    // The wheels, in the order of `/kinematics/`.
    struct RtrdExternalWheel wheels[RTRD_WHEELS_MAX];
} RtrdExternal;

// Force and torque on one wheel carrier: of the road, of the brake and of the spinning wheel.
typedef struct RtrdWheelForces {
    // [N] [@frame E] [@range -1e6..1e6] [@invalid NaN] Force on the wheel carrier at the wheel's
    // centre.
    RtrdVector3 force_n;
    // [Nm] [@frame E] [@range -1e6..1e6] [@invalid NaN] Torque on the wheel carrier about the
    // wheel's centre.
    RtrdVector3 torque_nm;
} RtrdWheelForces;

// What acts on the vehicle during one step, held constant.
typedef struct RtrdForces {
    // When and for which step; the step is that of the kinematics which are answered.
    struct RtrdStamp stamp;
    // [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force of the air at the vehicle's origin.
    RtrdVector3 body_force_n;
    // [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque of the air and of the driveline on
    // the body.
    RtrdVector3 body_torque_nm;
    // What steers the vehicle, at the end of the step.
    struct RtrdSteeringMotion steering;
    // [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    uint64_t wheel_count;
    // The wheels, in the order of `/kinematics/`.
    struct RtrdWheelForces wheels[RTRD_WHEELS_MAX];
} RtrdForces;

// A distribution of times.
typedef struct RtrdDistribution {
    // [-] [@range 0..18446744073709551615] [@invalid 0] How many times were recorded.
    uint64_t count;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Their sum.
    uint64_t sum_ns;
    // [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] The smallest.
    uint64_t min_ns;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] The largest.
    uint64_t max_ns;
    // [-] [@range 0..18446744073709551615] [@invalid 0] How many fell into each bucket; the edges
    // are those of the `rt` crate's histogram.
    uint64_t buckets[RTRD_HISTOGRAM_BUCKETS_MAX];
} RtrdDistribution;

// How a process is doing.
typedef struct RtrdHealth {
    // When and at which step.
    struct RtrdStamp stamp;
    // [-] [@range 1..4194304] [@invalid 0] Process number.
    uint64_t pid;
    // [-] [@range 1..4] [@invalid 0] 1 starting, 2 running, 3 stopped, 4 fault.
    uint64_t state;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Monotonic time of the start.
    uint64_t started_ns;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Period of the loop.
    uint64_t period_ns;
    // [-] [@range 0..8191] [@invalid -1] CPU that the process is pinned to; -1 if to none.
    int64_t cpu;
    // [-] [@range 0..99] [@invalid 0] FIFO priority; 0 if it was not granted.
    uint64_t fifo_priority;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Which real-time rights were granted, as
    // bits of the `rt` crate.
    uint64_t granted_bits;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Times that the loop has woken up.
    uint64_t wakeups;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Steps that ended after the next one should
    // have begun.
    uint64_t overruns;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Periods that were left out because of
    // that.
    uint64_t skipped;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Lock-step answers that did not come in
    // time, so that the last was held.
    uint64_t exchange_misses;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Inputs or states that the model had to
    // refuse or limit.
    uint64_t model_warnings;
    // [-] [@range 0..31] [@invalid 0] What is wrong with measured inputs now: bits 1 out of range,
    // 2 stuck, 4 jump, 8 stale, 16 not a number.
    uint64_t input_faults;
    // [-] [@range 0..3] [@invalid 0] The sharpest thing done about it: 0 nothing, 1 held, 2 ramped
    // to its safe value, 3 stop asked for.
    uint64_t input_reaction;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Minor page faults in the loop.
    uint64_t minor_faults;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Major page faults in the loop.
    uint64_t major_faults;
    // Lateness of the wake-up.
    struct RtrdDistribution latency;
    // Time from the wake-up to the end of the step.
    struct RtrdDistribution execution;
    // Time from asking to the answer in lock-step.
    struct RtrdDistribution exchange;
} RtrdHealth;

// Motion of one wheel's centre and of its carrier; its spin is in `/vehicle/`, whose models
// integrate it.
typedef struct RtrdWheelKinematics {
    // [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the wheel's centre.
    RtrdVector3 position_m;
    // [m/s] [@frame E] [@range -300..300] [@invalid NaN] Velocity of the wheel's centre.
    RtrdVector3 velocity_m_s;
    // [-] [@frame E] [@range -1..1] [@invalid NaN] Unit vector of the axle, pointing left.
    RtrdVector3 axle;
    // [rad/s] [@frame E] [@range -100..100] [@invalid NaN] Angular velocity of the wheel carrier.
    RtrdVector3 carrier_rate_rad_s;
} RtrdWheelKinematics;

// Where the vehicle is and how it moves, at the beginning of a step.
typedef struct RtrdKinematics {
    // When and for which step.
    struct RtrdStamp stamp;
    // [s] [@range 0..1e12] [@invalid NaN] Simulated time.
    double time_s;
    // [-] [@range 0..18446744073709551615] [@invalid 18446744073709551615] What the last step
    // reported; 0 = all is well.
    uint64_t status;
    // [m] [@frame E] [@range -1e6..1e6] [@invalid NaN] Position of the vehicle's origin.
    RtrdVector3 position_m;
    // [-] [@frame E] [@range -1..1] [@invalid NaN] Orientation of the vehicle, quaternion from V
    // to E.
    RtrdQuaternion orientation;
    // [m/s] [@frame V] [@range -300..300] [@invalid NaN] Velocity of the vehicle's origin.
    RtrdVector3 velocity_m_s;
    // [rad/s] [@frame V] [@range -100..100] [@invalid NaN] Angular velocity of the vehicle: roll,
    // pitch and yaw rate.
    RtrdVector3 rate_rad_s;
    // [m/s²] [@frame V] [@range -1000..1000] [@invalid NaN] Acceleration of the vehicle's origin,
    // without gravity.
    RtrdVector3 acceleration_m_s2;
    // [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force of the linkage on the driven rack,
    // positive to the left; not known where the wheels are steered by an angle.
    double rack_force_n;
    // [Nm] [@frame V] [@range -1e6..1e6] [@invalid NaN] Torque of the wheels against the angle
    // that steers them, positive to the left; not known where a rack steers.
    double steer_torque_nm;
    // [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    uint64_t wheel_count;
    // The wheels, front left, front right, and so on backwards.
    struct RtrdWheelKinematics wheels[RTRD_WHEELS_MAX];
} RtrdKinematics;

// A text in UTF-8.
typedef struct RtrdNames {
    // When it was written.
    struct RtrdStamp stamp;
    // [-] [@range 0..64000] [@invalid 0] Bytes of the text.
    uint64_t byte_count;
    // [-] [@range 0..8000] [@invalid 0] Words of the text.
    uint64_t word_count;
    // [-] [@range 0..18446744073709551615] [@invalid 0] The text, eight bytes in a word, the
    // first in the lowest.
    uint64_t text[RTRD_NAMES_WORDS_MAX];
} RtrdNames;

// One signal with another value.
typedef struct RtrdOverride {
    // [-] [@range 0..18446744073709551615] [@invalid 0] Number of the signal in the library.
    uint64_t number;
    // [-] [@range -1e308..1e308] [@invalid NaN] The value, in the unit of the signal; one that is
    // not known leaves the original.
    double value;
} RtrdOverride;

// Overridden signals.
typedef struct RtrdOverrides {
    // When.
    struct RtrdStamp stamp;
    // [-] [@range 0..2] [@invalid 0] Who drives: 0 the run's own driver, 1 a person at the
    // gateway, 2 nobody since that person let go.
    uint64_t seat;
    // [-] [@range 0..1] [@invalid NaN] Steps that the run makes in a period: 1 its own pace, 0 held,
    // 0.1 slow motion; one that is not known is its own pace.
    double pace_ratio;
    // [-] [@range 0..18446744073709551615] [@invalid 0] How many single steps were asked for ever;
    // one is made for each that is asked for while the run is held.
    uint64_t steps_asked;
    // [-] [@range 0..64] [@invalid 0] How many signals are overridden.
    uint64_t override_count;
    // The signals.
    struct RtrdOverride overrides[RTRD_OVERRIDES_MAX];
} RtrdOverrides;

// The inputs of the plant for one step.
typedef struct RtrdPlantInputs {
    // When and for which step; the step is that of the outputs which are answered.
    struct RtrdStamp stamp;
    // [ns] [@range 0..18446744073709551615] [@invalid 0] Age of the driver's data when the inputs
    // were computed.
    uint64_t driver_age_ns;
    // [-] [@range 0..64] [@invalid 0] How many inputs are in use.
    uint64_t input_count;
    // [-] [@range -1e308..1e308] [@invalid NaN] The inputs, in the units and the order of the
    // plant's description.
    double inputs[RTRD_PLANT_INPUTS_MAX];
} RtrdPlantInputs;

// The outputs of the plant at the beginning of one step.
typedef struct RtrdPlantOutputs {
    // When and for which step.
    struct RtrdStamp stamp;
    // [s] [@range 0..1e12] [@invalid NaN] Simulated time.
    double time_s;
    // [-] [@range 0..18446744073709551615] [@invalid 18446744073709551615] What the last step
    // reported; 0 = all is well.
    uint64_t status;
    // [-] [@range 0..256] [@invalid 0] How many outputs are in use.
    uint64_t output_count;
    // [-] [@range -1e308..1e308] [@invalid NaN] The outputs, in the units and the order of the
    // plant's description.
    double outputs[RTRD_PLANT_OUTPUTS_MAX];
} RtrdPlantOutputs;

// What a process needs to go on after a restart.
typedef struct RtrdStateVector {
    // When and for which step.
    struct RtrdStamp stamp;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Fingerprint of the model that the numbers
    // belong to.
    uint64_t model_hash;
    // [s] [@range 0..1e12] [@invalid NaN] Simulated time.
    double time_s;
    // [-] [@range 0..256] [@invalid 0] How many numbers are in use.
    uint64_t state_count;
    // [-] [@range -1e308..1e308] [@invalid NaN] The numbers, in the order of the model.
    double states[RTRD_STATES_MAX];
} RtrdStateVector;

// What the sensors of the car measure.
typedef struct RtrdSensors {
    // When and for which step.
    struct RtrdStamp stamp;
    // [m/s²] [@frame V] [@range -200..200] [@invalid NaN] Specific force at each accelerometer of
    // the body.
    RtrdVector3 accelerometers_m_s2[RTRD_ACCELEROMETERS];
    // [rad/s] [@frame V] [@range -10..10] [@invalid NaN] Yaw rate, positive to the left.
    double yaw_rate_rad_s;
    // [m/s] [@frame V] [@range -100..100] [@invalid NaN] Forward speed from the Hall sensor.
    double speed_m_s;
    // [rad/s] [@frame W] [@range -500..500] [@invalid NaN] Wheel speeds, positive when rolling
    // forward.
    double wheel_speed_rad_s[RTRD_WHEELS_MAX];
    // [ns] [@range 0..18446744073709551615] [@invalid 18446744073709551615] Age at publication:
    // from the oldest number's sample to `publish_ns`.
    uint64_t age_ns;
    // [-] [@range 0..64] [@invalid 0] How many further channels are in use.
    uint64_t channel_count;
    // [-] [@range -1e308..1e308] [@invalid NaN] Further channels, in the units and the order of
    // the configuration.
    double channels[RTRD_CHANNELS_MAX];
} RtrdSensors;

// Tyre and brake of one wheel; forces and torques are means over the step.
typedef struct RtrdWheelState {
    // [N] [@frame T] [@range 0..1e6] [@invalid NaN] Load on the tyre.
    double load_n;
    // [N] [@frame T] [@range -1e6..1e6] [@invalid NaN] F_x: force of the road along the wheel.
    double longitudinal_force_n;
    // [N] [@frame T] [@range -1e6..1e6] [@invalid NaN] F_y: force of the road across the wheel,
    // positive to the left.
    double lateral_force_n;
    // [Nm] [@frame T] [@range -1e6..1e6] [@invalid NaN] M_x: overturning torque of the road.
    double overturning_torque_nm;
    // [Nm] [@frame T] [@range -1e6..1e6] [@invalid NaN] M_z: aligning torque of the road.
    double aligning_torque_nm;
    // [Nm] [@frame W] [@range -1e5..1e5] [@invalid NaN] Torque of the rolling resistance on the
    // wheel about its axle.
    double rolling_torque_nm;
    // [Nm] [@frame W] [@range -1e5..1e5] [@invalid NaN] Torque of the brake on the wheel.
    double brake_torque_nm;
    // [Nm] [@frame W] [@range -1e5..1e5] [@invalid NaN] Torque of the drive shaft on the wheel.
    double drive_torque_nm;
    // [-] [@frame T] [@range -10..10] [@invalid NaN] Longitudinal slip, positive when driving.
    double slip_ratio;
    // [rad] [@frame T] [@range -1.6..1.6] [@invalid NaN] Slip angle.
    double slip_angle_rad;
    // [rad] [@frame T] [@range -1.6..1.6] [@invalid NaN] Camber to the road.
    double camber_rad;
    // [-] [@frame T] [@range 0..2] [@invalid NaN] Friction of the road at the contact, as a factor
    // on that of the tyre's file.
    double friction;
    // [m] [@frame T] [@range -1e6..1] [@invalid NaN] Deflection of the tyre, negative in the air.
    double deflection_m;
    // [rad] [@frame W] [@range -1e9..1e9] [@invalid NaN] Rotation about the axle, positive when
    // rolling forward.
    double spin_angle_rad;
    // [rad/s] [@frame W] [@range -1000..1000] [@invalid NaN] Speed about the axle, positive when
    // rolling forward.
    double spin_rate_rad_s;
} RtrdWheelState;

// The vehicle's subsystems as a driver or a display sees them.
typedef struct RtrdVehicleState {
    // When and for which step.
    struct RtrdStamp stamp;
    // What the driver did, as the models used it; its stamp says which sample that was.
    struct RtrdDriverInput input;
    // [rad/s] [@range -200..2000] [@invalid NaN] Speed of the engine.
    double engine_speed_rad_s;
    // [Nm] [@range -5000..5000] [@invalid NaN] Torque of the engine.
    double engine_torque_nm;
    // [-] [@range -1..12] [@invalid -128] Gear that is engaged: -1 reverse, 0 neutral.
    int64_t gear;
    // [Nm] [@range -100..100] [@invalid NaN] Torque of the steering wheel on the driver's hands,
    // positive turns it to the left.
    double steering_feedback_nm;
    // [-] [@range 0..1] [@invalid NaN] How far the anti-lock system is taking brake pressure away.
    double antilock_ratio;
    // [m/s] [@frame E] [@range -100..100] [@invalid NaN] Wind at the vehicle.
    RtrdVector3 wind_m_s;
    // [N] [@frame V] [@range -1e6..1e6] [@invalid NaN] Force of the air at the vehicle's origin.
    RtrdVector3 air_force_n;
    // [-] [@range 0..1] [@invalid 0] 1 in the safe stop: the driver's data is too old, and the
    // vehicle brakes.
    uint64_t safe_stop;
    // [-] [@range 0..1] [@invalid 0] 1 when the manoeuvre is over: the vehicle brakes and stands.
    uint64_t manoeuvre_over;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Answers of replaced subsystems that did
    // not come in time.
    uint64_t external_misses;
    // [-] [@range 0..18446744073709551615] [@invalid 0] Times that a tyre carried a load outside
    // the range for which its file was fitted.
    uint64_t loads_outside;
    // [-] [@range 0..24] [@invalid 0] How many wheels are in use.
    uint64_t wheel_count;
    // The wheels, in the order of `/kinematics/`.
    struct RtrdWheelState wheels[RTRD_WHEELS_MAX];
} RtrdVehicleState;
// Bytes of a memory page; blocks start on one.
#define RTRD_PAGE_BYTES 4096
// Bytes of the header in front of the first block.
#define RTRD_HEADER_BYTES 4096
// Bytes of the whole region.
#define RTRD_REGION_BYTES 880640
// Byte of the file whose shared lock says "somebody takes part".
#define RTRD_IN_USE_BYTE 0
// Slots of a block; write number s goes to slot s modulo this.
#define RTRD_SLOTS 4
// How often a reader tries before it gives up.
#define RTRD_ATTEMPTS 8
// Words in front of a block's slots.
#define RTRD_CONTROL_WORDS 16
// Control word: number of the last whole write.
#define RTRD_CONTROL_PUBLISHED 0
// Control word: how many owners the block has had.
#define RTRD_CONTROL_GENERATION 8
// Control word: process number of the owner.
#define RTRD_CONTROL_OWNER_PID 9
// Control word: since when, monotonic.
#define RTRD_CONTROL_OWNED_SINCE_NS 10
// Words in front of a slot's payload: the sequence number; then generation (high half) and used words (low).
#define RTRD_SLOT_HEADER_WORDS 2
// Blocks of the region.
#define RTRD_BLOCK_COUNT 24
// How every region begins.
#define RTRD_MAGIC UINT64_C(0x004d485344525452)
// Fingerprint of this layout.
#define RTRD_LAYOUT_HASH UINT64_C(0xa46fbe60b077f7ee)
// Folder of the regions.
#define RTRD_SHARED_MEMORY_DIRECTORY "/dev/shm"
// How the file name of a region begins.
#define RTRD_FILE_PREFIX "rtrd-"

// /driver/: RtrdDriverInput, written by daq-service.
#define RTRD_BLOCK_DRIVER_INDEX 0
#define RTRD_BLOCK_DRIVER_NUMBER 1
#define RTRD_BLOCK_DRIVER_OFFSET_BYTES 4096
#define RTRD_BLOCK_DRIVER_PAYLOAD_WORDS 19
#define RTRD_BLOCK_DRIVER_SLOT_WORDS 24
// /sensors/: RtrdSensors, written by daq-service.
#define RTRD_BLOCK_SENSORS_INDEX 1
#define RTRD_BLOCK_SENSORS_NUMBER 2
#define RTRD_BLOCK_SENSORS_OFFSET_BYTES 8192
#define RTRD_BLOCK_SENSORS_PAYLOAD_WORDS 107
#define RTRD_BLOCK_SENSORS_SLOT_WORDS 112
// /plant_inputs/: RtrdPlantInputs, written by subsystem-service.
#define RTRD_BLOCK_PLANT_INPUTS_INDEX 2
#define RTRD_BLOCK_PLANT_INPUTS_NUMBER 3
#define RTRD_BLOCK_PLANT_INPUTS_OFFSET_BYTES 12288
#define RTRD_BLOCK_PLANT_INPUTS_PAYLOAD_WORDS 69
#define RTRD_BLOCK_PLANT_INPUTS_SLOT_WORDS 72
// /plant_outputs/: RtrdPlantOutputs, written by dynamics-service.
#define RTRD_BLOCK_PLANT_OUTPUTS_INDEX 3
#define RTRD_BLOCK_PLANT_OUTPUTS_NUMBER 4
#define RTRD_BLOCK_PLANT_OUTPUTS_OFFSET_BYTES 16384
#define RTRD_BLOCK_PLANT_OUTPUTS_PAYLOAD_WORDS 262
#define RTRD_BLOCK_PLANT_OUTPUTS_SLOT_WORDS 264
// /plant_state/: RtrdStateVector, written by dynamics-service.
#define RTRD_BLOCK_PLANT_STATE_INDEX 4
#define RTRD_BLOCK_PLANT_STATE_NUMBER 5
#define RTRD_BLOCK_PLANT_STATE_OFFSET_BYTES 28672
#define RTRD_BLOCK_PLANT_STATE_PAYLOAD_WORDS 262
#define RTRD_BLOCK_PLANT_STATE_SLOT_WORDS 264
// /subsystem_state/: RtrdStateVector, written by subsystem-service.
#define RTRD_BLOCK_SUBSYSTEM_STATE_INDEX 5
#define RTRD_BLOCK_SUBSYSTEM_STATE_NUMBER 6
#define RTRD_BLOCK_SUBSYSTEM_STATE_OFFSET_BYTES 40960
#define RTRD_BLOCK_SUBSYSTEM_STATE_PAYLOAD_WORDS 262
#define RTRD_BLOCK_SUBSYSTEM_STATE_SLOT_WORDS 264
// /kinematics/: RtrdKinematics, written by dynamics-service.
#define RTRD_BLOCK_KINEMATICS_INDEX 6
#define RTRD_BLOCK_KINEMATICS_NUMBER 7
#define RTRD_BLOCK_KINEMATICS_OFFSET_BYTES 53248
#define RTRD_BLOCK_KINEMATICS_PAYLOAD_WORDS 312
#define RTRD_BLOCK_KINEMATICS_SLOT_WORDS 320
// /forces/: RtrdForces, written by subsystem-service.
#define RTRD_BLOCK_FORCES_INDEX 7
#define RTRD_BLOCK_FORCES_NUMBER 8
#define RTRD_BLOCK_FORCES_OFFSET_BYTES 65536
#define RTRD_BLOCK_FORCES_PAYLOAD_WORDS 160
#define RTRD_BLOCK_FORCES_SLOT_WORDS 168
// /vehicle/: RtrdVehicleState, written by subsystem-service.
#define RTRD_BLOCK_VEHICLE_INDEX 8
#define RTRD_BLOCK_VEHICLE_NUMBER 9
#define RTRD_BLOCK_VEHICLE_OFFSET_BYTES 73728
#define RTRD_BLOCK_VEHICLE_PAYLOAD_WORDS 398
#define RTRD_BLOCK_VEHICLE_SLOT_WORDS 400
// /overrides/: RtrdOverrides, written by gateway-service.
#define RTRD_BLOCK_OVERRIDES_INDEX 9
#define RTRD_BLOCK_OVERRIDES_NUMBER 10
#define RTRD_BLOCK_OVERRIDES_OFFSET_BYTES 90112
#define RTRD_BLOCK_OVERRIDES_PAYLOAD_WORDS 135
#define RTRD_BLOCK_OVERRIDES_SLOT_WORDS 144
// /control/: RtrdControl, written by rtrd.
#define RTRD_BLOCK_CONTROL_INDEX 10
#define RTRD_BLOCK_CONTROL_NUMBER 11
#define RTRD_BLOCK_CONTROL_OFFSET_BYTES 98304
#define RTRD_BLOCK_CONTROL_PAYLOAD_WORDS 15
#define RTRD_BLOCK_CONTROL_SLOT_WORDS 24
// /daq_health/: RtrdHealth, written by daq-service.
#define RTRD_BLOCK_DAQ_HEALTH_INDEX 11
#define RTRD_BLOCK_DAQ_HEALTH_NUMBER 12
#define RTRD_BLOCK_DAQ_HEALTH_OFFSET_BYTES 102400
#define RTRD_BLOCK_DAQ_HEALTH_PAYLOAD_WORDS 1567
#define RTRD_BLOCK_DAQ_HEALTH_SLOT_WORDS 1576
// /dynamics_health/: RtrdHealth, written by dynamics-service.
#define RTRD_BLOCK_DYNAMICS_HEALTH_INDEX 12
#define RTRD_BLOCK_DYNAMICS_HEALTH_NUMBER 13
#define RTRD_BLOCK_DYNAMICS_HEALTH_OFFSET_BYTES 155648
#define RTRD_BLOCK_DYNAMICS_HEALTH_PAYLOAD_WORDS 1567
#define RTRD_BLOCK_DYNAMICS_HEALTH_SLOT_WORDS 1576
// /subsystem_health/: RtrdHealth, written by subsystem-service.
#define RTRD_BLOCK_SUBSYSTEM_HEALTH_INDEX 13
#define RTRD_BLOCK_SUBSYSTEM_HEALTH_NUMBER 14
#define RTRD_BLOCK_SUBSYSTEM_HEALTH_OFFSET_BYTES 208896
#define RTRD_BLOCK_SUBSYSTEM_HEALTH_PAYLOAD_WORDS 1567
#define RTRD_BLOCK_SUBSYSTEM_HEALTH_SLOT_WORDS 1576
// /gateway_health/: RtrdHealth, written by gateway-service.
#define RTRD_BLOCK_GATEWAY_HEALTH_INDEX 14
#define RTRD_BLOCK_GATEWAY_HEALTH_NUMBER 15
#define RTRD_BLOCK_GATEWAY_HEALTH_OFFSET_BYTES 262144
#define RTRD_BLOCK_GATEWAY_HEALTH_PAYLOAD_WORDS 1567
#define RTRD_BLOCK_GATEWAY_HEALTH_SLOT_WORDS 1576
// /external_powertrain/: RtrdExternal, written by a process of the user's.
#define RTRD_BLOCK_EXTERNAL_POWERTRAIN_INDEX 15
#define RTRD_BLOCK_EXTERNAL_POWERTRAIN_NUMBER 16
#define RTRD_BLOCK_EXTERNAL_POWERTRAIN_OFFSET_BYTES 315392
#define RTRD_BLOCK_EXTERNAL_POWERTRAIN_PAYLOAD_WORDS 64
#define RTRD_BLOCK_EXTERNAL_POWERTRAIN_SLOT_WORDS 72
// /external_brake/: RtrdExternal, written by a process of the user's.
#define RTRD_BLOCK_EXTERNAL_BRAKE_INDEX 16
#define RTRD_BLOCK_EXTERNAL_BRAKE_NUMBER 17
#define RTRD_BLOCK_EXTERNAL_BRAKE_OFFSET_BYTES 319488
#define RTRD_BLOCK_EXTERNAL_BRAKE_PAYLOAD_WORDS 64
#define RTRD_BLOCK_EXTERNAL_BRAKE_SLOT_WORDS 72
// /external_steering/: RtrdExternal, written by a process of the user's.
#define RTRD_BLOCK_EXTERNAL_STEERING_INDEX 17
#define RTRD_BLOCK_EXTERNAL_STEERING_NUMBER 18
#define RTRD_BLOCK_EXTERNAL_STEERING_OFFSET_BYTES 323584
#define RTRD_BLOCK_EXTERNAL_STEERING_PAYLOAD_WORDS 64
#define RTRD_BLOCK_EXTERNAL_STEERING_SLOT_WORDS 72
// /external_aerodynamics/: RtrdExternal, written by a process of the user's.
#define RTRD_BLOCK_EXTERNAL_AERODYNAMICS_INDEX 18
#define RTRD_BLOCK_EXTERNAL_AERODYNAMICS_NUMBER 19
#define RTRD_BLOCK_EXTERNAL_AERODYNAMICS_OFFSET_BYTES 327680
#define RTRD_BLOCK_EXTERNAL_AERODYNAMICS_PAYLOAD_WORDS 64
#define RTRD_BLOCK_EXTERNAL_AERODYNAMICS_SLOT_WORDS 72
// /daq_state/: RtrdStateVector, written by daq-service.
#define RTRD_BLOCK_DAQ_STATE_INDEX 19
#define RTRD_BLOCK_DAQ_STATE_NUMBER 20
#define RTRD_BLOCK_DAQ_STATE_OFFSET_BYTES 331776
#define RTRD_BLOCK_DAQ_STATE_PAYLOAD_WORDS 262
#define RTRD_BLOCK_DAQ_STATE_SLOT_WORDS 264
// /acquisition/: RtrdAcquisition, written by daq-service.
#define RTRD_BLOCK_ACQUISITION_INDEX 20
#define RTRD_BLOCK_ACQUISITION_NUMBER 21
#define RTRD_BLOCK_ACQUISITION_OFFSET_BYTES 344064
#define RTRD_BLOCK_ACQUISITION_PAYLOAD_WORDS 405
#define RTRD_BLOCK_ACQUISITION_SLOT_WORDS 408
// /demands/: RtrdDemands, written by daq-service.
#define RTRD_BLOCK_DEMANDS_INDEX 21
#define RTRD_BLOCK_DEMANDS_NUMBER 22
#define RTRD_BLOCK_DEMANDS_OFFSET_BYTES 360448
#define RTRD_BLOCK_DEMANDS_PAYLOAD_WORDS 69
#define RTRD_BLOCK_DEMANDS_SLOT_WORDS 72
// /names/: RtrdNames, written by dynamics-service.
#define RTRD_BLOCK_NAMES_INDEX 22
#define RTRD_BLOCK_NAMES_NUMBER 23
#define RTRD_BLOCK_NAMES_OFFSET_BYTES 364544
#define RTRD_BLOCK_NAMES_PAYLOAD_WORDS 8005
#define RTRD_BLOCK_NAMES_SLOT_WORDS 8008
// /daq_names/: RtrdNames, written by daq-service.
#define RTRD_BLOCK_DAQ_NAMES_INDEX 23
#define RTRD_BLOCK_DAQ_NAMES_NUMBER 24
#define RTRD_BLOCK_DAQ_NAMES_OFFSET_BYTES 622592
#define RTRD_BLOCK_DAQ_NAMES_PAYLOAD_WORDS 8005
#define RTRD_BLOCK_DAQ_NAMES_SLOT_WORDS 8008

// Every block, as X(CONSTANT, name, payload type).
#define RTRD_BLOCKS(X) \
    X(DRIVER, driver, RtrdDriverInput) \
    X(SENSORS, sensors, RtrdSensors) \
    X(PLANT_INPUTS, plant_inputs, RtrdPlantInputs) \
    X(PLANT_OUTPUTS, plant_outputs, RtrdPlantOutputs) \
    X(PLANT_STATE, plant_state, RtrdStateVector) \
    X(SUBSYSTEM_STATE, subsystem_state, RtrdStateVector) \
    X(KINEMATICS, kinematics, RtrdKinematics) \
    X(FORCES, forces, RtrdForces) \
    X(VEHICLE, vehicle, RtrdVehicleState) \
    X(OVERRIDES, overrides, RtrdOverrides) \
    X(CONTROL, control, RtrdControl) \
    X(DAQ_HEALTH, daq_health, RtrdHealth) \
    X(DYNAMICS_HEALTH, dynamics_health, RtrdHealth) \
    X(SUBSYSTEM_HEALTH, subsystem_health, RtrdHealth) \
    X(GATEWAY_HEALTH, gateway_health, RtrdHealth) \
    X(EXTERNAL_POWERTRAIN, external_powertrain, RtrdExternal) \
    X(EXTERNAL_BRAKE, external_brake, RtrdExternal) \
    X(EXTERNAL_STEERING, external_steering, RtrdExternal) \
    X(EXTERNAL_AERODYNAMICS, external_aerodynamics, RtrdExternal) \
    X(DAQ_STATE, daq_state, RtrdStateVector) \
    X(ACQUISITION, acquisition, RtrdAcquisition) \
    X(DEMANDS, demands, RtrdDemands) \
    X(NAMES, names, RtrdNames) \
    X(DAQ_NAMES, daq_names, RtrdNames)

// What the words of a field are.
#define RTRD_KIND_FLOAT 0
#define RTRD_KIND_UNSIGNED 1
#define RTRD_KIND_SIGNED 2

// The fields of each block as X(before, after, kind, word, count, stride, unit). The name of a
// single number is `before`; number i of an array is `before[i]after`, at word `word + i * stride`
// of the payload.
#define RTRD_FIELDS_DRIVER(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("steering_angle_rad", "", RTRD_KIND_FLOAT, 3, 1, 1, "rad") \
    X("steering_rate_rad_s", "", RTRD_KIND_FLOAT, 4, 1, 1, "rad/s") \
    X("steering_acceleration_rad_s2", "", RTRD_KIND_FLOAT, 5, 1, 1, "rad/s²") \
    X("steering_torque_nm", "", RTRD_KIND_FLOAT, 6, 1, 1, "Nm") \
    X("throttle_ratio", "", RTRD_KIND_FLOAT, 7, 1, 1, "-") \
    X("brake_ratio", "", RTRD_KIND_FLOAT, 8, 1, 1, "-") \
    X("brake_pressure_bar", "", RTRD_KIND_FLOAT, 9, 1, 1, "bar") \
    X("clutch_ratio", "", RTRD_KIND_FLOAT, 10, 1, 1, "-") \
    X("gear", "", RTRD_KIND_SIGNED, 11, 1, 1, "-") \
    X("age_ns", "", RTRD_KIND_UNSIGNED, 12, 1, 1, "ns") \
    X("imposed.rack_displacement_m", "", RTRD_KIND_FLOAT, 13, 1, 1, "m") \
    X("imposed.rack_velocity_m_s", "", RTRD_KIND_FLOAT, 14, 1, 1, "m/s") \
    X("imposed.rack_acceleration_m_s2", "", RTRD_KIND_FLOAT, 15, 1, 1, "m/s²") \
    X("imposed.angle_rad", "", RTRD_KIND_FLOAT, 16, 1, 1, "rad") \
    X("imposed.rate_rad_s", "", RTRD_KIND_FLOAT, 17, 1, 1, "rad/s") \
    X("imposed.acceleration_rad_s2", "", RTRD_KIND_FLOAT, 18, 1, 1, "rad/s²")

#define RTRD_FIELDS_SENSORS(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("accelerometers_m_s2", ".x", RTRD_KIND_FLOAT, 3, 4, 3, "m/s²") \
    X("accelerometers_m_s2", ".y", RTRD_KIND_FLOAT, 4, 4, 3, "m/s²") \
    X("accelerometers_m_s2", ".z", RTRD_KIND_FLOAT, 5, 4, 3, "m/s²") \
    X("yaw_rate_rad_s", "", RTRD_KIND_FLOAT, 15, 1, 1, "rad/s") \
    X("speed_m_s", "", RTRD_KIND_FLOAT, 16, 1, 1, "m/s") \
    X("wheel_speed_rad_s", "", RTRD_KIND_FLOAT, 17, 24, 1, "rad/s") \
    X("age_ns", "", RTRD_KIND_UNSIGNED, 41, 1, 1, "ns") \
    X("channel_count", "", RTRD_KIND_UNSIGNED, 42, 1, 1, "-") \
    X("channels", "", RTRD_KIND_FLOAT, 43, 64, 1, "-")

#define RTRD_FIELDS_PLANT_INPUTS(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("driver_age_ns", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "ns") \
    X("input_count", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("inputs", "", RTRD_KIND_FLOAT, 5, 64, 1, "-")

#define RTRD_FIELDS_PLANT_OUTPUTS(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("time_s", "", RTRD_KIND_FLOAT, 3, 1, 1, "s") \
    X("status", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("output_count", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "-") \
    X("outputs", "", RTRD_KIND_FLOAT, 6, 256, 1, "-")

#define RTRD_FIELDS_PLANT_STATE(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("model_hash", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("time_s", "", RTRD_KIND_FLOAT, 4, 1, 1, "s") \
    X("state_count", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "-") \
    X("states", "", RTRD_KIND_FLOAT, 6, 256, 1, "-")

#define RTRD_FIELDS_SUBSYSTEM_STATE(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("model_hash", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("time_s", "", RTRD_KIND_FLOAT, 4, 1, 1, "s") \
    X("state_count", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "-") \
    X("states", "", RTRD_KIND_FLOAT, 6, 256, 1, "-")

#define RTRD_FIELDS_KINEMATICS(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("time_s", "", RTRD_KIND_FLOAT, 3, 1, 1, "s") \
    X("status", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("position_m.x", "", RTRD_KIND_FLOAT, 5, 1, 1, "m") \
    X("position_m.y", "", RTRD_KIND_FLOAT, 6, 1, 1, "m") \
    X("position_m.z", "", RTRD_KIND_FLOAT, 7, 1, 1, "m") \
    X("orientation.w", "", RTRD_KIND_FLOAT, 8, 1, 1, "-") \
    X("orientation.x", "", RTRD_KIND_FLOAT, 9, 1, 1, "-") \
    X("orientation.y", "", RTRD_KIND_FLOAT, 10, 1, 1, "-") \
    X("orientation.z", "", RTRD_KIND_FLOAT, 11, 1, 1, "-") \
    X("velocity_m_s.x", "", RTRD_KIND_FLOAT, 12, 1, 1, "m/s") \
    X("velocity_m_s.y", "", RTRD_KIND_FLOAT, 13, 1, 1, "m/s") \
    X("velocity_m_s.z", "", RTRD_KIND_FLOAT, 14, 1, 1, "m/s") \
    X("rate_rad_s.x", "", RTRD_KIND_FLOAT, 15, 1, 1, "rad/s") \
    X("rate_rad_s.y", "", RTRD_KIND_FLOAT, 16, 1, 1, "rad/s") \
    X("rate_rad_s.z", "", RTRD_KIND_FLOAT, 17, 1, 1, "rad/s") \
    X("acceleration_m_s2.x", "", RTRD_KIND_FLOAT, 18, 1, 1, "m/s²") \
    X("acceleration_m_s2.y", "", RTRD_KIND_FLOAT, 19, 1, 1, "m/s²") \
    X("acceleration_m_s2.z", "", RTRD_KIND_FLOAT, 20, 1, 1, "m/s²") \
    X("rack_force_n", "", RTRD_KIND_FLOAT, 21, 1, 1, "N") \
    X("steer_torque_nm", "", RTRD_KIND_FLOAT, 22, 1, 1, "Nm") \
    X("wheel_count", "", RTRD_KIND_UNSIGNED, 23, 1, 1, "-") \
    X("wheels", ".position_m.x", RTRD_KIND_FLOAT, 24, 24, 12, "m") \
    X("wheels", ".position_m.y", RTRD_KIND_FLOAT, 25, 24, 12, "m") \
    X("wheels", ".position_m.z", RTRD_KIND_FLOAT, 26, 24, 12, "m") \
    X("wheels", ".velocity_m_s.x", RTRD_KIND_FLOAT, 27, 24, 12, "m/s") \
    X("wheels", ".velocity_m_s.y", RTRD_KIND_FLOAT, 28, 24, 12, "m/s") \
    X("wheels", ".velocity_m_s.z", RTRD_KIND_FLOAT, 29, 24, 12, "m/s") \
    X("wheels", ".axle.x", RTRD_KIND_FLOAT, 30, 24, 12, "-") \
    X("wheels", ".axle.y", RTRD_KIND_FLOAT, 31, 24, 12, "-") \
    X("wheels", ".axle.z", RTRD_KIND_FLOAT, 32, 24, 12, "-") \
    X("wheels", ".carrier_rate_rad_s.x", RTRD_KIND_FLOAT, 33, 24, 12, "rad/s") \
    X("wheels", ".carrier_rate_rad_s.y", RTRD_KIND_FLOAT, 34, 24, 12, "rad/s") \
    X("wheels", ".carrier_rate_rad_s.z", RTRD_KIND_FLOAT, 35, 24, 12, "rad/s")

#define RTRD_FIELDS_FORCES(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("body_force_n.x", "", RTRD_KIND_FLOAT, 3, 1, 1, "N") \
    X("body_force_n.y", "", RTRD_KIND_FLOAT, 4, 1, 1, "N") \
    X("body_force_n.z", "", RTRD_KIND_FLOAT, 5, 1, 1, "N") \
    X("body_torque_nm.x", "", RTRD_KIND_FLOAT, 6, 1, 1, "Nm") \
    X("body_torque_nm.y", "", RTRD_KIND_FLOAT, 7, 1, 1, "Nm") \
    X("body_torque_nm.z", "", RTRD_KIND_FLOAT, 8, 1, 1, "Nm") \
    X("steering.rack_displacement_m", "", RTRD_KIND_FLOAT, 9, 1, 1, "m") \
    X("steering.rack_velocity_m_s", "", RTRD_KIND_FLOAT, 10, 1, 1, "m/s") \
    X("steering.rack_acceleration_m_s2", "", RTRD_KIND_FLOAT, 11, 1, 1, "m/s²") \
    X("steering.angle_rad", "", RTRD_KIND_FLOAT, 12, 1, 1, "rad") \
    X("steering.rate_rad_s", "", RTRD_KIND_FLOAT, 13, 1, 1, "rad/s") \
    X("steering.acceleration_rad_s2", "", RTRD_KIND_FLOAT, 14, 1, 1, "rad/s²") \
    X("wheel_count", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("wheels", ".force_n.x", RTRD_KIND_FLOAT, 16, 24, 6, "N") \
    X("wheels", ".force_n.y", RTRD_KIND_FLOAT, 17, 24, 6, "N") \
    X("wheels", ".force_n.z", RTRD_KIND_FLOAT, 18, 24, 6, "N") \
    X("wheels", ".torque_nm.x", RTRD_KIND_FLOAT, 19, 24, 6, "Nm") \
    X("wheels", ".torque_nm.y", RTRD_KIND_FLOAT, 20, 24, 6, "Nm") \
    X("wheels", ".torque_nm.z", RTRD_KIND_FLOAT, 21, 24, 6, "Nm")

#define RTRD_FIELDS_VEHICLE(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("input.stamp.step", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("input.stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "ns") \
    X("input.stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "ns") \
    X("input.steering_angle_rad", "", RTRD_KIND_FLOAT, 6, 1, 1, "rad") \
    X("input.steering_rate_rad_s", "", RTRD_KIND_FLOAT, 7, 1, 1, "rad/s") \
    X("input.steering_acceleration_rad_s2", "", RTRD_KIND_FLOAT, 8, 1, 1, "rad/s²") \
    X("input.steering_torque_nm", "", RTRD_KIND_FLOAT, 9, 1, 1, "Nm") \
    X("input.throttle_ratio", "", RTRD_KIND_FLOAT, 10, 1, 1, "-") \
    X("input.brake_ratio", "", RTRD_KIND_FLOAT, 11, 1, 1, "-") \
    X("input.brake_pressure_bar", "", RTRD_KIND_FLOAT, 12, 1, 1, "bar") \
    X("input.clutch_ratio", "", RTRD_KIND_FLOAT, 13, 1, 1, "-") \
    X("input.gear", "", RTRD_KIND_SIGNED, 14, 1, 1, "-") \
    X("input.age_ns", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "ns") \
    X("input.imposed.rack_displacement_m", "", RTRD_KIND_FLOAT, 16, 1, 1, "m") \
    X("input.imposed.rack_velocity_m_s", "", RTRD_KIND_FLOAT, 17, 1, 1, "m/s") \
    X("input.imposed.rack_acceleration_m_s2", "", RTRD_KIND_FLOAT, 18, 1, 1, "m/s²") \
    X("input.imposed.angle_rad", "", RTRD_KIND_FLOAT, 19, 1, 1, "rad") \
    X("input.imposed.rate_rad_s", "", RTRD_KIND_FLOAT, 20, 1, 1, "rad/s") \
    X("input.imposed.acceleration_rad_s2", "", RTRD_KIND_FLOAT, 21, 1, 1, "rad/s²") \
    X("engine_speed_rad_s", "", RTRD_KIND_FLOAT, 22, 1, 1, "rad/s") \
    X("engine_torque_nm", "", RTRD_KIND_FLOAT, 23, 1, 1, "Nm") \
    X("gear", "", RTRD_KIND_SIGNED, 24, 1, 1, "-") \
    X("steering_feedback_nm", "", RTRD_KIND_FLOAT, 25, 1, 1, "Nm") \
    X("antilock_ratio", "", RTRD_KIND_FLOAT, 26, 1, 1, "-") \
    X("wind_m_s.x", "", RTRD_KIND_FLOAT, 27, 1, 1, "m/s") \
    X("wind_m_s.y", "", RTRD_KIND_FLOAT, 28, 1, 1, "m/s") \
    X("wind_m_s.z", "", RTRD_KIND_FLOAT, 29, 1, 1, "m/s") \
    X("air_force_n.x", "", RTRD_KIND_FLOAT, 30, 1, 1, "N") \
    X("air_force_n.y", "", RTRD_KIND_FLOAT, 31, 1, 1, "N") \
    X("air_force_n.z", "", RTRD_KIND_FLOAT, 32, 1, 1, "N") \
    X("safe_stop", "", RTRD_KIND_UNSIGNED, 33, 1, 1, "-") \
    X("manoeuvre_over", "", RTRD_KIND_UNSIGNED, 34, 1, 1, "-") \
    X("external_misses", "", RTRD_KIND_UNSIGNED, 35, 1, 1, "-") \
    X("loads_outside", "", RTRD_KIND_UNSIGNED, 36, 1, 1, "-") \
    X("wheel_count", "", RTRD_KIND_UNSIGNED, 37, 1, 1, "-") \
    X("wheels", ".load_n", RTRD_KIND_FLOAT, 38, 24, 15, "N") \
    X("wheels", ".longitudinal_force_n", RTRD_KIND_FLOAT, 39, 24, 15, "N") \
    X("wheels", ".lateral_force_n", RTRD_KIND_FLOAT, 40, 24, 15, "N") \
    X("wheels", ".overturning_torque_nm", RTRD_KIND_FLOAT, 41, 24, 15, "Nm") \
    X("wheels", ".aligning_torque_nm", RTRD_KIND_FLOAT, 42, 24, 15, "Nm") \
    X("wheels", ".rolling_torque_nm", RTRD_KIND_FLOAT, 43, 24, 15, "Nm") \
    X("wheels", ".brake_torque_nm", RTRD_KIND_FLOAT, 44, 24, 15, "Nm") \
    X("wheels", ".drive_torque_nm", RTRD_KIND_FLOAT, 45, 24, 15, "Nm") \
    X("wheels", ".slip_ratio", RTRD_KIND_FLOAT, 46, 24, 15, "-") \
    X("wheels", ".slip_angle_rad", RTRD_KIND_FLOAT, 47, 24, 15, "rad") \
    X("wheels", ".camber_rad", RTRD_KIND_FLOAT, 48, 24, 15, "rad") \
    X("wheels", ".friction", RTRD_KIND_FLOAT, 49, 24, 15, "-") \
    X("wheels", ".deflection_m", RTRD_KIND_FLOAT, 50, 24, 15, "m") \
    X("wheels", ".spin_angle_rad", RTRD_KIND_FLOAT, 51, 24, 15, "rad") \
    X("wheels", ".spin_rate_rad_s", RTRD_KIND_FLOAT, 52, 24, 15, "rad/s")

#define RTRD_FIELDS_OVERRIDES(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("seat", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("pace_ratio", "", RTRD_KIND_FLOAT, 4, 1, 1, "-") \
    X("steps_asked", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "-") \
    X("override_count", "", RTRD_KIND_UNSIGNED, 6, 1, 1, "-") \
    X("overrides", ".number", RTRD_KIND_UNSIGNED, 7, 64, 2, "-") \
    X("overrides", ".value", RTRD_KIND_FLOAT, 8, 64, 2, "-")

#define RTRD_FIELDS_CONTROL(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("mode", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("started_ns", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "ns") \
    X("period_ns", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "ns") \
    X("supervisor_pid", "", RTRD_KIND_UNSIGNED, 6, 1, 1, "-") \
    X("restarts", "", RTRD_KIND_UNSIGNED, 7, 8, 1, "-")

#define RTRD_FIELDS_DAQ_HEALTH(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("pid", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("state", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("started_ns", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "ns") \
    X("period_ns", "", RTRD_KIND_UNSIGNED, 6, 1, 1, "ns") \
    X("cpu", "", RTRD_KIND_SIGNED, 7, 1, 1, "-") \
    X("fifo_priority", "", RTRD_KIND_UNSIGNED, 8, 1, 1, "-") \
    X("granted_bits", "", RTRD_KIND_UNSIGNED, 9, 1, 1, "-") \
    X("wakeups", "", RTRD_KIND_UNSIGNED, 10, 1, 1, "-") \
    X("overruns", "", RTRD_KIND_UNSIGNED, 11, 1, 1, "-") \
    X("skipped", "", RTRD_KIND_UNSIGNED, 12, 1, 1, "-") \
    X("exchange_misses", "", RTRD_KIND_UNSIGNED, 13, 1, 1, "-") \
    X("model_warnings", "", RTRD_KIND_UNSIGNED, 14, 1, 1, "-") \
    X("input_faults", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("input_reaction", "", RTRD_KIND_UNSIGNED, 16, 1, 1, "-") \
    X("minor_faults", "", RTRD_KIND_UNSIGNED, 17, 1, 1, "-") \
    X("major_faults", "", RTRD_KIND_UNSIGNED, 18, 1, 1, "-") \
    X("latency.count", "", RTRD_KIND_UNSIGNED, 19, 1, 1, "-") \
    X("latency.sum_ns", "", RTRD_KIND_UNSIGNED, 20, 1, 1, "ns") \
    X("latency.min_ns", "", RTRD_KIND_UNSIGNED, 21, 1, 1, "ns") \
    X("latency.max_ns", "", RTRD_KIND_UNSIGNED, 22, 1, 1, "ns") \
    X("latency.buckets", "", RTRD_KIND_UNSIGNED, 23, 512, 1, "-") \
    X("execution.count", "", RTRD_KIND_UNSIGNED, 535, 1, 1, "-") \
    X("execution.sum_ns", "", RTRD_KIND_UNSIGNED, 536, 1, 1, "ns") \
    X("execution.min_ns", "", RTRD_KIND_UNSIGNED, 537, 1, 1, "ns") \
    X("execution.max_ns", "", RTRD_KIND_UNSIGNED, 538, 1, 1, "ns") \
    X("execution.buckets", "", RTRD_KIND_UNSIGNED, 539, 512, 1, "-") \
    X("exchange.count", "", RTRD_KIND_UNSIGNED, 1051, 1, 1, "-") \
    X("exchange.sum_ns", "", RTRD_KIND_UNSIGNED, 1052, 1, 1, "ns") \
    X("exchange.min_ns", "", RTRD_KIND_UNSIGNED, 1053, 1, 1, "ns") \
    X("exchange.max_ns", "", RTRD_KIND_UNSIGNED, 1054, 1, 1, "ns") \
    X("exchange.buckets", "", RTRD_KIND_UNSIGNED, 1055, 512, 1, "-")

#define RTRD_FIELDS_DYNAMICS_HEALTH(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("pid", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("state", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("started_ns", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "ns") \
    X("period_ns", "", RTRD_KIND_UNSIGNED, 6, 1, 1, "ns") \
    X("cpu", "", RTRD_KIND_SIGNED, 7, 1, 1, "-") \
    X("fifo_priority", "", RTRD_KIND_UNSIGNED, 8, 1, 1, "-") \
    X("granted_bits", "", RTRD_KIND_UNSIGNED, 9, 1, 1, "-") \
    X("wakeups", "", RTRD_KIND_UNSIGNED, 10, 1, 1, "-") \
    X("overruns", "", RTRD_KIND_UNSIGNED, 11, 1, 1, "-") \
    X("skipped", "", RTRD_KIND_UNSIGNED, 12, 1, 1, "-") \
    X("exchange_misses", "", RTRD_KIND_UNSIGNED, 13, 1, 1, "-") \
    X("model_warnings", "", RTRD_KIND_UNSIGNED, 14, 1, 1, "-") \
    X("input_faults", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("input_reaction", "", RTRD_KIND_UNSIGNED, 16, 1, 1, "-") \
    X("minor_faults", "", RTRD_KIND_UNSIGNED, 17, 1, 1, "-") \
    X("major_faults", "", RTRD_KIND_UNSIGNED, 18, 1, 1, "-") \
    X("latency.count", "", RTRD_KIND_UNSIGNED, 19, 1, 1, "-") \
    X("latency.sum_ns", "", RTRD_KIND_UNSIGNED, 20, 1, 1, "ns") \
    X("latency.min_ns", "", RTRD_KIND_UNSIGNED, 21, 1, 1, "ns") \
    X("latency.max_ns", "", RTRD_KIND_UNSIGNED, 22, 1, 1, "ns") \
    X("latency.buckets", "", RTRD_KIND_UNSIGNED, 23, 512, 1, "-") \
    X("execution.count", "", RTRD_KIND_UNSIGNED, 535, 1, 1, "-") \
    X("execution.sum_ns", "", RTRD_KIND_UNSIGNED, 536, 1, 1, "ns") \
    X("execution.min_ns", "", RTRD_KIND_UNSIGNED, 537, 1, 1, "ns") \
    X("execution.max_ns", "", RTRD_KIND_UNSIGNED, 538, 1, 1, "ns") \
    X("execution.buckets", "", RTRD_KIND_UNSIGNED, 539, 512, 1, "-") \
    X("exchange.count", "", RTRD_KIND_UNSIGNED, 1051, 1, 1, "-") \
    X("exchange.sum_ns", "", RTRD_KIND_UNSIGNED, 1052, 1, 1, "ns") \
    X("exchange.min_ns", "", RTRD_KIND_UNSIGNED, 1053, 1, 1, "ns") \
    X("exchange.max_ns", "", RTRD_KIND_UNSIGNED, 1054, 1, 1, "ns") \
    X("exchange.buckets", "", RTRD_KIND_UNSIGNED, 1055, 512, 1, "-")

#define RTRD_FIELDS_SUBSYSTEM_HEALTH(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("pid", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("state", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("started_ns", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "ns") \
    X("period_ns", "", RTRD_KIND_UNSIGNED, 6, 1, 1, "ns") \
    X("cpu", "", RTRD_KIND_SIGNED, 7, 1, 1, "-") \
    X("fifo_priority", "", RTRD_KIND_UNSIGNED, 8, 1, 1, "-") \
    X("granted_bits", "", RTRD_KIND_UNSIGNED, 9, 1, 1, "-") \
    X("wakeups", "", RTRD_KIND_UNSIGNED, 10, 1, 1, "-") \
    X("overruns", "", RTRD_KIND_UNSIGNED, 11, 1, 1, "-") \
    X("skipped", "", RTRD_KIND_UNSIGNED, 12, 1, 1, "-") \
    X("exchange_misses", "", RTRD_KIND_UNSIGNED, 13, 1, 1, "-") \
    X("model_warnings", "", RTRD_KIND_UNSIGNED, 14, 1, 1, "-") \
    X("input_faults", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("input_reaction", "", RTRD_KIND_UNSIGNED, 16, 1, 1, "-") \
    X("minor_faults", "", RTRD_KIND_UNSIGNED, 17, 1, 1, "-") \
    X("major_faults", "", RTRD_KIND_UNSIGNED, 18, 1, 1, "-") \
    X("latency.count", "", RTRD_KIND_UNSIGNED, 19, 1, 1, "-") \
    X("latency.sum_ns", "", RTRD_KIND_UNSIGNED, 20, 1, 1, "ns") \
    X("latency.min_ns", "", RTRD_KIND_UNSIGNED, 21, 1, 1, "ns") \
    X("latency.max_ns", "", RTRD_KIND_UNSIGNED, 22, 1, 1, "ns") \
    X("latency.buckets", "", RTRD_KIND_UNSIGNED, 23, 512, 1, "-") \
    X("execution.count", "", RTRD_KIND_UNSIGNED, 535, 1, 1, "-") \
    X("execution.sum_ns", "", RTRD_KIND_UNSIGNED, 536, 1, 1, "ns") \
    X("execution.min_ns", "", RTRD_KIND_UNSIGNED, 537, 1, 1, "ns") \
    X("execution.max_ns", "", RTRD_KIND_UNSIGNED, 538, 1, 1, "ns") \
    X("execution.buckets", "", RTRD_KIND_UNSIGNED, 539, 512, 1, "-") \
    X("exchange.count", "", RTRD_KIND_UNSIGNED, 1051, 1, 1, "-") \
    X("exchange.sum_ns", "", RTRD_KIND_UNSIGNED, 1052, 1, 1, "ns") \
    X("exchange.min_ns", "", RTRD_KIND_UNSIGNED, 1053, 1, 1, "ns") \
    X("exchange.max_ns", "", RTRD_KIND_UNSIGNED, 1054, 1, 1, "ns") \
    X("exchange.buckets", "", RTRD_KIND_UNSIGNED, 1055, 512, 1, "-")

#define RTRD_FIELDS_GATEWAY_HEALTH(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("pid", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("state", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("started_ns", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "ns") \
    X("period_ns", "", RTRD_KIND_UNSIGNED, 6, 1, 1, "ns") \
    X("cpu", "", RTRD_KIND_SIGNED, 7, 1, 1, "-") \
    X("fifo_priority", "", RTRD_KIND_UNSIGNED, 8, 1, 1, "-") \
    X("granted_bits", "", RTRD_KIND_UNSIGNED, 9, 1, 1, "-") \
    X("wakeups", "", RTRD_KIND_UNSIGNED, 10, 1, 1, "-") \
    X("overruns", "", RTRD_KIND_UNSIGNED, 11, 1, 1, "-") \
    X("skipped", "", RTRD_KIND_UNSIGNED, 12, 1, 1, "-") \
    X("exchange_misses", "", RTRD_KIND_UNSIGNED, 13, 1, 1, "-") \
    X("model_warnings", "", RTRD_KIND_UNSIGNED, 14, 1, 1, "-") \
    X("input_faults", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("input_reaction", "", RTRD_KIND_UNSIGNED, 16, 1, 1, "-") \
    X("minor_faults", "", RTRD_KIND_UNSIGNED, 17, 1, 1, "-") \
    X("major_faults", "", RTRD_KIND_UNSIGNED, 18, 1, 1, "-") \
    X("latency.count", "", RTRD_KIND_UNSIGNED, 19, 1, 1, "-") \
    X("latency.sum_ns", "", RTRD_KIND_UNSIGNED, 20, 1, 1, "ns") \
    X("latency.min_ns", "", RTRD_KIND_UNSIGNED, 21, 1, 1, "ns") \
    X("latency.max_ns", "", RTRD_KIND_UNSIGNED, 22, 1, 1, "ns") \
    X("latency.buckets", "", RTRD_KIND_UNSIGNED, 23, 512, 1, "-") \
    X("execution.count", "", RTRD_KIND_UNSIGNED, 535, 1, 1, "-") \
    X("execution.sum_ns", "", RTRD_KIND_UNSIGNED, 536, 1, 1, "ns") \
    X("execution.min_ns", "", RTRD_KIND_UNSIGNED, 537, 1, 1, "ns") \
    X("execution.max_ns", "", RTRD_KIND_UNSIGNED, 538, 1, 1, "ns") \
    X("execution.buckets", "", RTRD_KIND_UNSIGNED, 539, 512, 1, "-") \
    X("exchange.count", "", RTRD_KIND_UNSIGNED, 1051, 1, 1, "-") \
    X("exchange.sum_ns", "", RTRD_KIND_UNSIGNED, 1052, 1, 1, "ns") \
    X("exchange.min_ns", "", RTRD_KIND_UNSIGNED, 1053, 1, 1, "ns") \
    X("exchange.max_ns", "", RTRD_KIND_UNSIGNED, 1054, 1, 1, "ns") \
    X("exchange.buckets", "", RTRD_KIND_UNSIGNED, 1055, 512, 1, "-")

#define RTRD_FIELDS_EXTERNAL_POWERTRAIN(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("body_force_n.x", "", RTRD_KIND_FLOAT, 3, 1, 1, "N") \
    X("body_force_n.y", "", RTRD_KIND_FLOAT, 4, 1, 1, "N") \
    X("body_force_n.z", "", RTRD_KIND_FLOAT, 5, 1, 1, "N") \
    X("body_torque_nm.x", "", RTRD_KIND_FLOAT, 6, 1, 1, "Nm") \
    X("body_torque_nm.y", "", RTRD_KIND_FLOAT, 7, 1, 1, "Nm") \
    X("body_torque_nm.z", "", RTRD_KIND_FLOAT, 8, 1, 1, "Nm") \
    X("steering.rack_displacement_m", "", RTRD_KIND_FLOAT, 9, 1, 1, "m") \
    X("steering.rack_velocity_m_s", "", RTRD_KIND_FLOAT, 10, 1, 1, "m/s") \
    X("steering.rack_acceleration_m_s2", "", RTRD_KIND_FLOAT, 11, 1, 1, "m/s²") \
    X("steering.angle_rad", "", RTRD_KIND_FLOAT, 12, 1, 1, "rad") \
    X("steering.rate_rad_s", "", RTRD_KIND_FLOAT, 13, 1, 1, "rad/s") \
    X("steering.acceleration_rad_s2", "", RTRD_KIND_FLOAT, 14, 1, 1, "rad/s²") \
    X("wheel_count", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("wheels", ".drive_torque_nm", RTRD_KIND_FLOAT, 16, 24, 2, "Nm") \
    X("wheels", ".brake_torque_nm", RTRD_KIND_FLOAT, 17, 24, 2, "Nm")

#define RTRD_FIELDS_EXTERNAL_BRAKE(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("body_force_n.x", "", RTRD_KIND_FLOAT, 3, 1, 1, "N") \
    X("body_force_n.y", "", RTRD_KIND_FLOAT, 4, 1, 1, "N") \
    X("body_force_n.z", "", RTRD_KIND_FLOAT, 5, 1, 1, "N") \
    X("body_torque_nm.x", "", RTRD_KIND_FLOAT, 6, 1, 1, "Nm") \
    X("body_torque_nm.y", "", RTRD_KIND_FLOAT, 7, 1, 1, "Nm") \
    X("body_torque_nm.z", "", RTRD_KIND_FLOAT, 8, 1, 1, "Nm") \
    X("steering.rack_displacement_m", "", RTRD_KIND_FLOAT, 9, 1, 1, "m") \
    X("steering.rack_velocity_m_s", "", RTRD_KIND_FLOAT, 10, 1, 1, "m/s") \
    X("steering.rack_acceleration_m_s2", "", RTRD_KIND_FLOAT, 11, 1, 1, "m/s²") \
    X("steering.angle_rad", "", RTRD_KIND_FLOAT, 12, 1, 1, "rad") \
    X("steering.rate_rad_s", "", RTRD_KIND_FLOAT, 13, 1, 1, "rad/s") \
    X("steering.acceleration_rad_s2", "", RTRD_KIND_FLOAT, 14, 1, 1, "rad/s²") \
    X("wheel_count", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("wheels", ".drive_torque_nm", RTRD_KIND_FLOAT, 16, 24, 2, "Nm") \
    X("wheels", ".brake_torque_nm", RTRD_KIND_FLOAT, 17, 24, 2, "Nm")

#define RTRD_FIELDS_EXTERNAL_STEERING(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("body_force_n.x", "", RTRD_KIND_FLOAT, 3, 1, 1, "N") \
    X("body_force_n.y", "", RTRD_KIND_FLOAT, 4, 1, 1, "N") \
    X("body_force_n.z", "", RTRD_KIND_FLOAT, 5, 1, 1, "N") \
    X("body_torque_nm.x", "", RTRD_KIND_FLOAT, 6, 1, 1, "Nm") \
    X("body_torque_nm.y", "", RTRD_KIND_FLOAT, 7, 1, 1, "Nm") \
    X("body_torque_nm.z", "", RTRD_KIND_FLOAT, 8, 1, 1, "Nm") \
    X("steering.rack_displacement_m", "", RTRD_KIND_FLOAT, 9, 1, 1, "m") \
    X("steering.rack_velocity_m_s", "", RTRD_KIND_FLOAT, 10, 1, 1, "m/s") \
    X("steering.rack_acceleration_m_s2", "", RTRD_KIND_FLOAT, 11, 1, 1, "m/s²") \
    X("steering.angle_rad", "", RTRD_KIND_FLOAT, 12, 1, 1, "rad") \
    X("steering.rate_rad_s", "", RTRD_KIND_FLOAT, 13, 1, 1, "rad/s") \
    X("steering.acceleration_rad_s2", "", RTRD_KIND_FLOAT, 14, 1, 1, "rad/s²") \
    X("wheel_count", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("wheels", ".drive_torque_nm", RTRD_KIND_FLOAT, 16, 24, 2, "Nm") \
    X("wheels", ".brake_torque_nm", RTRD_KIND_FLOAT, 17, 24, 2, "Nm")

#define RTRD_FIELDS_EXTERNAL_AERODYNAMICS(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("body_force_n.x", "", RTRD_KIND_FLOAT, 3, 1, 1, "N") \
    X("body_force_n.y", "", RTRD_KIND_FLOAT, 4, 1, 1, "N") \
    X("body_force_n.z", "", RTRD_KIND_FLOAT, 5, 1, 1, "N") \
    X("body_torque_nm.x", "", RTRD_KIND_FLOAT, 6, 1, 1, "Nm") \
    X("body_torque_nm.y", "", RTRD_KIND_FLOAT, 7, 1, 1, "Nm") \
    X("body_torque_nm.z", "", RTRD_KIND_FLOAT, 8, 1, 1, "Nm") \
    X("steering.rack_displacement_m", "", RTRD_KIND_FLOAT, 9, 1, 1, "m") \
    X("steering.rack_velocity_m_s", "", RTRD_KIND_FLOAT, 10, 1, 1, "m/s") \
    X("steering.rack_acceleration_m_s2", "", RTRD_KIND_FLOAT, 11, 1, 1, "m/s²") \
    X("steering.angle_rad", "", RTRD_KIND_FLOAT, 12, 1, 1, "rad") \
    X("steering.rate_rad_s", "", RTRD_KIND_FLOAT, 13, 1, 1, "rad/s") \
    X("steering.acceleration_rad_s2", "", RTRD_KIND_FLOAT, 14, 1, 1, "rad/s²") \
    X("wheel_count", "", RTRD_KIND_UNSIGNED, 15, 1, 1, "-") \
    X("wheels", ".drive_torque_nm", RTRD_KIND_FLOAT, 16, 24, 2, "Nm") \
    X("wheels", ".brake_torque_nm", RTRD_KIND_FLOAT, 17, 24, 2, "Nm")

#define RTRD_FIELDS_DAQ_STATE(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("model_hash", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("time_s", "", RTRD_KIND_FLOAT, 4, 1, 1, "s") \
    X("state_count", "", RTRD_KIND_UNSIGNED, 5, 1, 1, "-") \
    X("states", "", RTRD_KIND_FLOAT, 6, 256, 1, "-")

#define RTRD_FIELDS_ACQUISITION(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("source_count", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("sources", ".state", RTRD_KIND_UNSIGNED, 4, 8, 14, "-") \
    X("sources", ".clock", RTRD_KIND_UNSIGNED, 5, 8, 14, "-") \
    X("sources", ".sample_ns", RTRD_KIND_UNSIGNED, 6, 8, 14, "ns") \
    X("sources", ".blocks", RTRD_KIND_UNSIGNED, 7, 8, 14, "-") \
    X("sources", ".bytes", RTRD_KIND_UNSIGNED, 8, 8, 14, "-") \
    X("sources", ".empty_reads", RTRD_KIND_UNSIGNED, 9, 8, 14, "-") \
    X("sources", ".bursts", RTRD_KIND_UNSIGNED, 10, 8, 14, "-") \
    X("sources", ".largest_burst", RTRD_KIND_UNSIGNED, 11, 8, 14, "-") \
    X("sources", ".remainders", RTRD_KIND_UNSIGNED, 12, 8, 14, "-") \
    X("sources", ".lost", RTRD_KIND_UNSIGNED, 13, 8, 14, "-") \
    X("sources", ".duplicated", RTRD_KIND_UNSIGNED, 14, 8, 14, "-") \
    X("sources", ".corrupted", RTRD_KIND_UNSIGNED, 15, 8, 14, "-") \
    X("sources", ".resynchronised", RTRD_KIND_UNSIGNED, 16, 8, 14, "-") \
    X("sources", ".reconnects", RTRD_KIND_UNSIGNED, 17, 8, 14, "-") \
    X("channel_count", "", RTRD_KIND_UNSIGNED, 116, 1, 1, "-") \
    X("channels", ".raw", RTRD_KIND_FLOAT, 117, 32, 9, "-") \
    X("channels", ".value", RTRD_KIND_FLOAT, 118, 32, 9, "-") \
    X("channels", ".rate", RTRD_KIND_FLOAT, 119, 32, 9, "-") \
    X("channels", ".acceleration", RTRD_KIND_FLOAT, 120, 32, 9, "-") \
    X("channels", ".sample_ns", RTRD_KIND_UNSIGNED, 121, 32, 9, "ns") \
    X("channels", ".age_ns", RTRD_KIND_UNSIGNED, 122, 32, 9, "ns") \
    X("channels", ".faults", RTRD_KIND_UNSIGNED, 123, 32, 9, "-") \
    X("channels", ".reaction", RTRD_KIND_UNSIGNED, 124, 32, 9, "-") \
    X("channels", ".fault_count", RTRD_KIND_UNSIGNED, 125, 32, 9, "-")

#define RTRD_FIELDS_DEMANDS(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("age_ns", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "ns") \
    X("demand_count", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("demands", "", RTRD_KIND_FLOAT, 5, 64, 1, "-")

#define RTRD_FIELDS_NAMES(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("byte_count", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("word_count", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("text", "", RTRD_KIND_UNSIGNED, 5, 8000, 1, "-")

#define RTRD_FIELDS_DAQ_NAMES(X) \
    X("stamp.step", "", RTRD_KIND_UNSIGNED, 0, 1, 1, "-") \
    X("stamp.sample_ns", "", RTRD_KIND_UNSIGNED, 1, 1, 1, "ns") \
    X("stamp.publish_ns", "", RTRD_KIND_UNSIGNED, 2, 1, 1, "ns") \
    X("byte_count", "", RTRD_KIND_UNSIGNED, 3, 1, 1, "-") \
    X("word_count", "", RTRD_KIND_UNSIGNED, 4, 1, 1, "-") \
    X("text", "", RTRD_KIND_UNSIGNED, 5, 8000, 1, "-")

// The compiler that reads this must lay the structures out as the one that wrote it.
static_assert(sizeof(RtrdTableLine) == 80, "size of RtrdTableLine");
static_assert(offsetof(RtrdTableLine, name) == 0, "RtrdTableLine.name");
static_assert(offsetof(RtrdTableLine, number) == 32, "RtrdTableLine.number");
static_assert(offsetof(RtrdTableLine, offset_bytes) == 40, "RtrdTableLine.offset_bytes");
static_assert(offsetof(RtrdTableLine, size_bytes) == 48, "RtrdTableLine.size_bytes");
static_assert(offsetof(RtrdTableLine, payload_words) == 56, "RtrdTableLine.payload_words");
static_assert(offsetof(RtrdTableLine, slot_words) == 64, "RtrdTableLine.slot_words");
static_assert(offsetof(RtrdTableLine, slot_count) == 72, "RtrdTableLine.slot_count");
static_assert(sizeof(RtrdHeader) == 3264, "size of RtrdHeader");
static_assert(offsetof(RtrdHeader, magic) == 0, "RtrdHeader.magic");
static_assert(offsetof(RtrdHeader, layout_version) == 8, "RtrdHeader.layout_version");
static_assert(offsetof(RtrdHeader, layout_hash) == 16, "RtrdHeader.layout_hash");
static_assert(offsetof(RtrdHeader, region_bytes) == 24, "RtrdHeader.region_bytes");
static_assert(offsetof(RtrdHeader, instance_epoch) == 32, "RtrdHeader.instance_epoch");
static_assert(offsetof(RtrdHeader, creator_pid) == 40, "RtrdHeader.creator_pid");
static_assert(offsetof(RtrdHeader, block_count) == 48, "RtrdHeader.block_count");
static_assert(offsetof(RtrdHeader, reserved) == 56, "RtrdHeader.reserved");
static_assert(offsetof(RtrdHeader, table) == 64, "RtrdHeader.table");
static_assert(sizeof(RtrdStamp) == 24, "size of RtrdStamp");
static_assert(offsetof(RtrdStamp, step) == 0, "RtrdStamp.step");
static_assert(offsetof(RtrdStamp, sample_ns) == 8, "RtrdStamp.sample_ns");
static_assert(offsetof(RtrdStamp, publish_ns) == 16, "RtrdStamp.publish_ns");
static_assert(sizeof(RtrdSteeringMotion) == 48, "size of RtrdSteeringMotion");
static_assert(offsetof(RtrdSteeringMotion, rack_displacement_m) == 0, "RtrdSteeringMotion.rack_displacement_m");
static_assert(offsetof(RtrdSteeringMotion, rack_velocity_m_s) == 8, "RtrdSteeringMotion.rack_velocity_m_s");
static_assert(offsetof(RtrdSteeringMotion, rack_acceleration_m_s2) == 16, "RtrdSteeringMotion.rack_acceleration_m_s2");
static_assert(offsetof(RtrdSteeringMotion, angle_rad) == 24, "RtrdSteeringMotion.angle_rad");
static_assert(offsetof(RtrdSteeringMotion, rate_rad_s) == 32, "RtrdSteeringMotion.rate_rad_s");
static_assert(offsetof(RtrdSteeringMotion, acceleration_rad_s2) == 40, "RtrdSteeringMotion.acceleration_rad_s2");
static_assert(sizeof(RtrdSourceStatus) == 112, "size of RtrdSourceStatus");
static_assert(offsetof(RtrdSourceStatus, state) == 0, "RtrdSourceStatus.state");
static_assert(offsetof(RtrdSourceStatus, clock) == 8, "RtrdSourceStatus.clock");
static_assert(offsetof(RtrdSourceStatus, sample_ns) == 16, "RtrdSourceStatus.sample_ns");
static_assert(offsetof(RtrdSourceStatus, blocks) == 24, "RtrdSourceStatus.blocks");
static_assert(offsetof(RtrdSourceStatus, bytes) == 32, "RtrdSourceStatus.bytes");
static_assert(offsetof(RtrdSourceStatus, empty_reads) == 40, "RtrdSourceStatus.empty_reads");
static_assert(offsetof(RtrdSourceStatus, bursts) == 48, "RtrdSourceStatus.bursts");
static_assert(offsetof(RtrdSourceStatus, largest_burst) == 56, "RtrdSourceStatus.largest_burst");
static_assert(offsetof(RtrdSourceStatus, remainders) == 64, "RtrdSourceStatus.remainders");
static_assert(offsetof(RtrdSourceStatus, lost) == 72, "RtrdSourceStatus.lost");
static_assert(offsetof(RtrdSourceStatus, duplicated) == 80, "RtrdSourceStatus.duplicated");
static_assert(offsetof(RtrdSourceStatus, corrupted) == 88, "RtrdSourceStatus.corrupted");
static_assert(offsetof(RtrdSourceStatus, resynchronised) == 96, "RtrdSourceStatus.resynchronised");
static_assert(offsetof(RtrdSourceStatus, reconnects) == 104, "RtrdSourceStatus.reconnects");
static_assert(sizeof(RtrdChannelStatus) == 72, "size of RtrdChannelStatus");
static_assert(offsetof(RtrdChannelStatus, raw) == 0, "RtrdChannelStatus.raw");
static_assert(offsetof(RtrdChannelStatus, value) == 8, "RtrdChannelStatus.value");
static_assert(offsetof(RtrdChannelStatus, rate) == 16, "RtrdChannelStatus.rate");
static_assert(offsetof(RtrdChannelStatus, acceleration) == 24, "RtrdChannelStatus.acceleration");
static_assert(offsetof(RtrdChannelStatus, sample_ns) == 32, "RtrdChannelStatus.sample_ns");
static_assert(offsetof(RtrdChannelStatus, age_ns) == 40, "RtrdChannelStatus.age_ns");
static_assert(offsetof(RtrdChannelStatus, faults) == 48, "RtrdChannelStatus.faults");
static_assert(offsetof(RtrdChannelStatus, reaction) == 56, "RtrdChannelStatus.reaction");
static_assert(offsetof(RtrdChannelStatus, fault_count) == 64, "RtrdChannelStatus.fault_count");
static_assert(sizeof(RtrdAcquisition) == 3240, "size of RtrdAcquisition");
static_assert(offsetof(RtrdAcquisition, stamp) == 0, "RtrdAcquisition.stamp");
static_assert(offsetof(RtrdAcquisition, source_count) == 24, "RtrdAcquisition.source_count");
static_assert(offsetof(RtrdAcquisition, sources) == 32, "RtrdAcquisition.sources");
static_assert(offsetof(RtrdAcquisition, channel_count) == 928, "RtrdAcquisition.channel_count");
static_assert(offsetof(RtrdAcquisition, channels) == 936, "RtrdAcquisition.channels");
static_assert(sizeof(RtrdControl) == 120, "size of RtrdControl");
static_assert(offsetof(RtrdControl, stamp) == 0, "RtrdControl.stamp");
static_assert(offsetof(RtrdControl, mode) == 24, "RtrdControl.mode");
static_assert(offsetof(RtrdControl, started_ns) == 32, "RtrdControl.started_ns");
static_assert(offsetof(RtrdControl, period_ns) == 40, "RtrdControl.period_ns");
static_assert(offsetof(RtrdControl, supervisor_pid) == 48, "RtrdControl.supervisor_pid");
static_assert(offsetof(RtrdControl, restarts) == 56, "RtrdControl.restarts");
static_assert(sizeof(RtrdDemands) == 552, "size of RtrdDemands");
static_assert(offsetof(RtrdDemands, stamp) == 0, "RtrdDemands.stamp");
static_assert(offsetof(RtrdDemands, age_ns) == 24, "RtrdDemands.age_ns");
static_assert(offsetof(RtrdDemands, demand_count) == 32, "RtrdDemands.demand_count");
static_assert(offsetof(RtrdDemands, demands) == 40, "RtrdDemands.demands");
static_assert(sizeof(RtrdDriverInput) == 152, "size of RtrdDriverInput");
static_assert(offsetof(RtrdDriverInput, stamp) == 0, "RtrdDriverInput.stamp");
static_assert(offsetof(RtrdDriverInput, steering_angle_rad) == 24, "RtrdDriverInput.steering_angle_rad");
static_assert(offsetof(RtrdDriverInput, steering_rate_rad_s) == 32, "RtrdDriverInput.steering_rate_rad_s");
static_assert(offsetof(RtrdDriverInput, steering_acceleration_rad_s2) == 40, "RtrdDriverInput.steering_acceleration_rad_s2");
static_assert(offsetof(RtrdDriverInput, steering_torque_nm) == 48, "RtrdDriverInput.steering_torque_nm");
static_assert(offsetof(RtrdDriverInput, throttle_ratio) == 56, "RtrdDriverInput.throttle_ratio");
static_assert(offsetof(RtrdDriverInput, brake_ratio) == 64, "RtrdDriverInput.brake_ratio");
static_assert(offsetof(RtrdDriverInput, brake_pressure_bar) == 72, "RtrdDriverInput.brake_pressure_bar");
static_assert(offsetof(RtrdDriverInput, clutch_ratio) == 80, "RtrdDriverInput.clutch_ratio");
static_assert(offsetof(RtrdDriverInput, gear) == 88, "RtrdDriverInput.gear");
static_assert(offsetof(RtrdDriverInput, age_ns) == 96, "RtrdDriverInput.age_ns");
static_assert(offsetof(RtrdDriverInput, imposed) == 104, "RtrdDriverInput.imposed");
static_assert(sizeof(RtrdExternalWheel) == 16, "size of RtrdExternalWheel");
static_assert(offsetof(RtrdExternalWheel, drive_torque_nm) == 0, "RtrdExternalWheel.drive_torque_nm");
static_assert(offsetof(RtrdExternalWheel, brake_torque_nm) == 8, "RtrdExternalWheel.brake_torque_nm");
static_assert(sizeof(RtrdExternal) == 512, "size of RtrdExternal");
static_assert(offsetof(RtrdExternal, stamp) == 0, "RtrdExternal.stamp");
static_assert(offsetof(RtrdExternal, body_force_n) == 24, "RtrdExternal.body_force_n");
static_assert(offsetof(RtrdExternal, body_torque_nm) == 48, "RtrdExternal.body_torque_nm");
static_assert(offsetof(RtrdExternal, steering) == 72, "RtrdExternal.steering");
static_assert(offsetof(RtrdExternal, wheel_count) == 120, "RtrdExternal.wheel_count");
static_assert(offsetof(RtrdExternal, wheels) == 128, "RtrdExternal.wheels");
static_assert(sizeof(RtrdWheelForces) == 48, "size of RtrdWheelForces");
static_assert(offsetof(RtrdWheelForces, force_n) == 0, "RtrdWheelForces.force_n");
static_assert(offsetof(RtrdWheelForces, torque_nm) == 24, "RtrdWheelForces.torque_nm");
static_assert(sizeof(RtrdForces) == 1280, "size of RtrdForces");
static_assert(offsetof(RtrdForces, stamp) == 0, "RtrdForces.stamp");
static_assert(offsetof(RtrdForces, body_force_n) == 24, "RtrdForces.body_force_n");
static_assert(offsetof(RtrdForces, body_torque_nm) == 48, "RtrdForces.body_torque_nm");
static_assert(offsetof(RtrdForces, steering) == 72, "RtrdForces.steering");
static_assert(offsetof(RtrdForces, wheel_count) == 120, "RtrdForces.wheel_count");
static_assert(offsetof(RtrdForces, wheels) == 128, "RtrdForces.wheels");
static_assert(sizeof(RtrdDistribution) == 4128, "size of RtrdDistribution");
static_assert(offsetof(RtrdDistribution, count) == 0, "RtrdDistribution.count");
static_assert(offsetof(RtrdDistribution, sum_ns) == 8, "RtrdDistribution.sum_ns");
static_assert(offsetof(RtrdDistribution, min_ns) == 16, "RtrdDistribution.min_ns");
static_assert(offsetof(RtrdDistribution, max_ns) == 24, "RtrdDistribution.max_ns");
static_assert(offsetof(RtrdDistribution, buckets) == 32, "RtrdDistribution.buckets");
static_assert(sizeof(RtrdHealth) == 12536, "size of RtrdHealth");
static_assert(offsetof(RtrdHealth, stamp) == 0, "RtrdHealth.stamp");
static_assert(offsetof(RtrdHealth, pid) == 24, "RtrdHealth.pid");
static_assert(offsetof(RtrdHealth, state) == 32, "RtrdHealth.state");
static_assert(offsetof(RtrdHealth, started_ns) == 40, "RtrdHealth.started_ns");
static_assert(offsetof(RtrdHealth, period_ns) == 48, "RtrdHealth.period_ns");
static_assert(offsetof(RtrdHealth, cpu) == 56, "RtrdHealth.cpu");
static_assert(offsetof(RtrdHealth, fifo_priority) == 64, "RtrdHealth.fifo_priority");
static_assert(offsetof(RtrdHealth, granted_bits) == 72, "RtrdHealth.granted_bits");
static_assert(offsetof(RtrdHealth, wakeups) == 80, "RtrdHealth.wakeups");
static_assert(offsetof(RtrdHealth, overruns) == 88, "RtrdHealth.overruns");
static_assert(offsetof(RtrdHealth, skipped) == 96, "RtrdHealth.skipped");
static_assert(offsetof(RtrdHealth, exchange_misses) == 104, "RtrdHealth.exchange_misses");
static_assert(offsetof(RtrdHealth, model_warnings) == 112, "RtrdHealth.model_warnings");
static_assert(offsetof(RtrdHealth, input_faults) == 120, "RtrdHealth.input_faults");
static_assert(offsetof(RtrdHealth, input_reaction) == 128, "RtrdHealth.input_reaction");
static_assert(offsetof(RtrdHealth, minor_faults) == 136, "RtrdHealth.minor_faults");
static_assert(offsetof(RtrdHealth, major_faults) == 144, "RtrdHealth.major_faults");
static_assert(offsetof(RtrdHealth, latency) == 152, "RtrdHealth.latency");
static_assert(offsetof(RtrdHealth, execution) == 4280, "RtrdHealth.execution");
static_assert(offsetof(RtrdHealth, exchange) == 8408, "RtrdHealth.exchange");
static_assert(sizeof(RtrdWheelKinematics) == 96, "size of RtrdWheelKinematics");
static_assert(offsetof(RtrdWheelKinematics, position_m) == 0, "RtrdWheelKinematics.position_m");
static_assert(offsetof(RtrdWheelKinematics, velocity_m_s) == 24, "RtrdWheelKinematics.velocity_m_s");
static_assert(offsetof(RtrdWheelKinematics, axle) == 48, "RtrdWheelKinematics.axle");
static_assert(offsetof(RtrdWheelKinematics, carrier_rate_rad_s) == 72, "RtrdWheelKinematics.carrier_rate_rad_s");
static_assert(sizeof(RtrdKinematics) == 2496, "size of RtrdKinematics");
static_assert(offsetof(RtrdKinematics, stamp) == 0, "RtrdKinematics.stamp");
static_assert(offsetof(RtrdKinematics, time_s) == 24, "RtrdKinematics.time_s");
static_assert(offsetof(RtrdKinematics, status) == 32, "RtrdKinematics.status");
static_assert(offsetof(RtrdKinematics, position_m) == 40, "RtrdKinematics.position_m");
static_assert(offsetof(RtrdKinematics, orientation) == 64, "RtrdKinematics.orientation");
static_assert(offsetof(RtrdKinematics, velocity_m_s) == 96, "RtrdKinematics.velocity_m_s");
static_assert(offsetof(RtrdKinematics, rate_rad_s) == 120, "RtrdKinematics.rate_rad_s");
static_assert(offsetof(RtrdKinematics, acceleration_m_s2) == 144, "RtrdKinematics.acceleration_m_s2");
static_assert(offsetof(RtrdKinematics, rack_force_n) == 168, "RtrdKinematics.rack_force_n");
static_assert(offsetof(RtrdKinematics, steer_torque_nm) == 176, "RtrdKinematics.steer_torque_nm");
static_assert(offsetof(RtrdKinematics, wheel_count) == 184, "RtrdKinematics.wheel_count");
static_assert(offsetof(RtrdKinematics, wheels) == 192, "RtrdKinematics.wheels");
static_assert(sizeof(RtrdNames) == 64040, "size of RtrdNames");
static_assert(offsetof(RtrdNames, stamp) == 0, "RtrdNames.stamp");
static_assert(offsetof(RtrdNames, byte_count) == 24, "RtrdNames.byte_count");
static_assert(offsetof(RtrdNames, word_count) == 32, "RtrdNames.word_count");
static_assert(offsetof(RtrdNames, text) == 40, "RtrdNames.text");
static_assert(sizeof(RtrdOverride) == 16, "size of RtrdOverride");
static_assert(offsetof(RtrdOverride, number) == 0, "RtrdOverride.number");
static_assert(offsetof(RtrdOverride, value) == 8, "RtrdOverride.value");
static_assert(sizeof(RtrdOverrides) == 1080, "size of RtrdOverrides");
static_assert(offsetof(RtrdOverrides, stamp) == 0, "RtrdOverrides.stamp");
static_assert(offsetof(RtrdOverrides, seat) == 24, "RtrdOverrides.seat");
static_assert(offsetof(RtrdOverrides, pace_ratio) == 32, "RtrdOverrides.pace_ratio");
static_assert(offsetof(RtrdOverrides, steps_asked) == 40, "RtrdOverrides.steps_asked");
static_assert(offsetof(RtrdOverrides, override_count) == 48, "RtrdOverrides.override_count");
static_assert(offsetof(RtrdOverrides, overrides) == 56, "RtrdOverrides.overrides");
static_assert(sizeof(RtrdPlantInputs) == 552, "size of RtrdPlantInputs");
static_assert(offsetof(RtrdPlantInputs, stamp) == 0, "RtrdPlantInputs.stamp");
static_assert(offsetof(RtrdPlantInputs, driver_age_ns) == 24, "RtrdPlantInputs.driver_age_ns");
static_assert(offsetof(RtrdPlantInputs, input_count) == 32, "RtrdPlantInputs.input_count");
static_assert(offsetof(RtrdPlantInputs, inputs) == 40, "RtrdPlantInputs.inputs");
static_assert(sizeof(RtrdPlantOutputs) == 2096, "size of RtrdPlantOutputs");
static_assert(offsetof(RtrdPlantOutputs, stamp) == 0, "RtrdPlantOutputs.stamp");
static_assert(offsetof(RtrdPlantOutputs, time_s) == 24, "RtrdPlantOutputs.time_s");
static_assert(offsetof(RtrdPlantOutputs, status) == 32, "RtrdPlantOutputs.status");
static_assert(offsetof(RtrdPlantOutputs, output_count) == 40, "RtrdPlantOutputs.output_count");
static_assert(offsetof(RtrdPlantOutputs, outputs) == 48, "RtrdPlantOutputs.outputs");
static_assert(sizeof(RtrdStateVector) == 2096, "size of RtrdStateVector");
static_assert(offsetof(RtrdStateVector, stamp) == 0, "RtrdStateVector.stamp");
static_assert(offsetof(RtrdStateVector, model_hash) == 24, "RtrdStateVector.model_hash");
static_assert(offsetof(RtrdStateVector, time_s) == 32, "RtrdStateVector.time_s");
static_assert(offsetof(RtrdStateVector, state_count) == 40, "RtrdStateVector.state_count");
static_assert(offsetof(RtrdStateVector, states) == 48, "RtrdStateVector.states");
static_assert(sizeof(RtrdSensors) == 856, "size of RtrdSensors");
static_assert(offsetof(RtrdSensors, stamp) == 0, "RtrdSensors.stamp");
static_assert(offsetof(RtrdSensors, accelerometers_m_s2) == 24, "RtrdSensors.accelerometers_m_s2");
static_assert(offsetof(RtrdSensors, yaw_rate_rad_s) == 120, "RtrdSensors.yaw_rate_rad_s");
static_assert(offsetof(RtrdSensors, speed_m_s) == 128, "RtrdSensors.speed_m_s");
static_assert(offsetof(RtrdSensors, wheel_speed_rad_s) == 136, "RtrdSensors.wheel_speed_rad_s");
static_assert(offsetof(RtrdSensors, age_ns) == 328, "RtrdSensors.age_ns");
static_assert(offsetof(RtrdSensors, channel_count) == 336, "RtrdSensors.channel_count");
static_assert(offsetof(RtrdSensors, channels) == 344, "RtrdSensors.channels");
static_assert(sizeof(RtrdWheelState) == 120, "size of RtrdWheelState");
static_assert(offsetof(RtrdWheelState, load_n) == 0, "RtrdWheelState.load_n");
static_assert(offsetof(RtrdWheelState, longitudinal_force_n) == 8, "RtrdWheelState.longitudinal_force_n");
static_assert(offsetof(RtrdWheelState, lateral_force_n) == 16, "RtrdWheelState.lateral_force_n");
static_assert(offsetof(RtrdWheelState, overturning_torque_nm) == 24, "RtrdWheelState.overturning_torque_nm");
static_assert(offsetof(RtrdWheelState, aligning_torque_nm) == 32, "RtrdWheelState.aligning_torque_nm");
static_assert(offsetof(RtrdWheelState, rolling_torque_nm) == 40, "RtrdWheelState.rolling_torque_nm");
static_assert(offsetof(RtrdWheelState, brake_torque_nm) == 48, "RtrdWheelState.brake_torque_nm");
static_assert(offsetof(RtrdWheelState, drive_torque_nm) == 56, "RtrdWheelState.drive_torque_nm");
static_assert(offsetof(RtrdWheelState, slip_ratio) == 64, "RtrdWheelState.slip_ratio");
static_assert(offsetof(RtrdWheelState, slip_angle_rad) == 72, "RtrdWheelState.slip_angle_rad");
static_assert(offsetof(RtrdWheelState, camber_rad) == 80, "RtrdWheelState.camber_rad");
static_assert(offsetof(RtrdWheelState, friction) == 88, "RtrdWheelState.friction");
static_assert(offsetof(RtrdWheelState, deflection_m) == 96, "RtrdWheelState.deflection_m");
static_assert(offsetof(RtrdWheelState, spin_angle_rad) == 104, "RtrdWheelState.spin_angle_rad");
static_assert(offsetof(RtrdWheelState, spin_rate_rad_s) == 112, "RtrdWheelState.spin_rate_rad_s");
static_assert(sizeof(RtrdVehicleState) == 3184, "size of RtrdVehicleState");
static_assert(offsetof(RtrdVehicleState, stamp) == 0, "RtrdVehicleState.stamp");
static_assert(offsetof(RtrdVehicleState, input) == 24, "RtrdVehicleState.input");
static_assert(offsetof(RtrdVehicleState, engine_speed_rad_s) == 176, "RtrdVehicleState.engine_speed_rad_s");
static_assert(offsetof(RtrdVehicleState, engine_torque_nm) == 184, "RtrdVehicleState.engine_torque_nm");
static_assert(offsetof(RtrdVehicleState, gear) == 192, "RtrdVehicleState.gear");
static_assert(offsetof(RtrdVehicleState, steering_feedback_nm) == 200, "RtrdVehicleState.steering_feedback_nm");
static_assert(offsetof(RtrdVehicleState, antilock_ratio) == 208, "RtrdVehicleState.antilock_ratio");
static_assert(offsetof(RtrdVehicleState, wind_m_s) == 216, "RtrdVehicleState.wind_m_s");
static_assert(offsetof(RtrdVehicleState, air_force_n) == 240, "RtrdVehicleState.air_force_n");
static_assert(offsetof(RtrdVehicleState, safe_stop) == 264, "RtrdVehicleState.safe_stop");
static_assert(offsetof(RtrdVehicleState, manoeuvre_over) == 272, "RtrdVehicleState.manoeuvre_over");
static_assert(offsetof(RtrdVehicleState, external_misses) == 280, "RtrdVehicleState.external_misses");
static_assert(offsetof(RtrdVehicleState, loads_outside) == 288, "RtrdVehicleState.loads_outside");
static_assert(offsetof(RtrdVehicleState, wheel_count) == 296, "RtrdVehicleState.wheel_count");
static_assert(offsetof(RtrdVehicleState, wheels) == 304, "RtrdVehicleState.wheels");

#endif /* RTRD_H */
