/* An electric motor as a powertrain of the user's own, in lock-step with the vehicle.
 *
 *     cc -std=c11 -O2 -o external_powertrain external_powertrain.c -lm
 *     ./external_powertrain default
 *
 * The vehicle's file says  powertrain = "external".  Each step of the dynamics publishes /kinematics/; this program answers in
 * /external_powertrain/ with the torque on each wheel and the same step number, as one of the project's own models would. It may be killed and
 * started again at any time: its torque is held for a while, then the vehicle rolls, and when it is back it drives again.
 *
 * The motor: T = throttle * min(T_max, P_max / speed), with a first-order lag, through a reduction gear and open differentials, so
 * that every wheel has the same torque. Off the throttle it recuperates a tenth of T_max.
 */
#include "rtrd_writer.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>

enum { EXIT_NO_REGION = 1, EXIT_USAGE = 2, EXIT_NO_BLOCK = 3 };

static const double torque_max_nm = 600.0;
static const double power_max_w = 120000.0;
static const double reduction = 7.0;
static const double lag_s = 0.02;
/* Recuperation fades out below this speed of the motor. */
static const double slow_rad_s = 20.0;
static const uint64_t patience_ns = 50000000;

static volatile sig_atomic_t asked_to_stop = 0;

static void stop(int signal_number) {
    (void)signal_number;
    asked_to_stop = 1;
}

/* Mean speed of the wheels, at the motor. */
static double motor_speed_rad_s(const RtrdVehicleState *vehicle) {
    double sum = 0.0;
    for (uint64_t wheel = 0; wheel < vehicle->wheel_count; wheel++) sum += vehicle->wheels[wheel].spin_rate_rad_s;
    return vehicle->wheel_count > 0 ? reduction * sum / (double)vehicle->wheel_count : 0.0;
}

/* Torque that the motor should have. */
static double wanted_nm(double throttle, double speed_rad_s) {
    double limit = fmin(torque_max_nm, power_max_w / fmax(fabs(speed_rad_s), 1.0));
    if (throttle > 0.0) return fmin(throttle, 1.0) * limit;
    return -0.1 * torque_max_nm * fmax(-1.0, fmin(1.0, speed_rad_s / slow_rad_s));
}

/* Answers each step until the run is over or somebody asks to stop; the number of answers. */
static uint64_t answer_all(const RtrdRegion *region, RtrdWriter *writer) {
    RtrdKinematics kinematics;
    RtrdVehicleState vehicle;
    RtrdExternal answer;
    RtrdSnapshot question = {0}, seen;
    double torque_nm = 0.0, time_s = NAN;
    uint64_t answers = 0;
    memset(&answer, 0, sizeof answer);
    while (!asked_to_stop) {
        RtrdResult result =
            rtrd_wait_kinematics(region, question.sequence, rtrd_monotonic_ns() + patience_ns, &kinematics, &question);
        if (result != RTRD_OK) {
            if (rtrd_is_removed(region)) break;
            continue;
        }
        /* What the other models knew at the end of the last step. */
        double throttle = 0.0, speed_rad_s = 0.0;
        if (rtrd_read_vehicle(region, &vehicle, &seen) == RTRD_OK) {
            throttle = isfinite(vehicle.input.throttle_ratio) ? vehicle.input.throttle_ratio : 0.0;
            speed_rad_s = motor_speed_rad_s(&vehicle);
        }
        double passed_s = kinematics.time_s > time_s ? kinematics.time_s - time_s : 0.0;
        time_s = kinematics.time_s;
        torque_nm += (wanted_nm(throttle, speed_rad_s) - torque_nm) * -expm1(-passed_s / lag_s);
        answer.wheel_count = kinematics.wheel_count;
        for (uint64_t wheel = 0; wheel < answer.wheel_count; wheel++)
            answer.wheels[wheel].drive_torque_nm = torque_nm * reduction / (double)answer.wheel_count;
        answer.stamp = (RtrdStamp){kinematics.stamp.step, kinematics.stamp.sample_ns, rtrd_monotonic_ns()};
        rtrd_publish_external_powertrain(writer, &answer);
        answers++;
    }
    return answers;
}

int main(int count, char **arguments) {
    RtrdRegion region;
    RtrdWriter writer;
    if (count < 2 || count > 3) {
        fprintf(stderr, "usage: external_powertrain INSTANCE [DIRECTORY]\n");
        return EXIT_USAGE;
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    /* A guest: the region may go when the run is over, and then this program goes too. */
    RtrdResult result = rtrd_observe(&region, count > 2 ? arguments[2] : NULL, arguments[1]);
    if (result != RTRD_OK) {
        fprintf(stderr, "external_powertrain: %s: %s\n", arguments[1], rtrd_result_text(result));
        return EXIT_NO_REGION;
    }
    result = rtrd_claim_external_powertrain(&region, &writer);
    if (result != RTRD_OK) {
        fprintf(stderr, "external_powertrain: /external_powertrain/: %s\n", rtrd_result_text(result));
        rtrd_close(&region);
        return EXIT_NO_BLOCK;
    }
    uint64_t answers = answer_all(&region, &writer);
    rtrd_release(&writer);
    rtrd_close(&region);
    printf("%" PRIu64 " answers\n", answers);
    return 0;
}
