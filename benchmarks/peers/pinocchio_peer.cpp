// Pinocchio with the mechanism of a model folder: answers lines of orders with lines of numbers.
//
//     pinocchio_peer TEXT           TEXT comes from pinocchio_model.py
//
// Orders:
//     accelerations ALGORITHM       for each checked body, six numbers: angular acceleration, acceleration of the centre of
//                                   gravity (earth axes); gravity is the only force
//     time ALGORITHM COUNT          nanoseconds per evaluation
// ALGORITHM is aba, lcaba or constraintDynamics. Nothing but the call itself is timed: no springs, no integration, no projection.

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/config.hpp>

namespace {

using pinocchio::SE3;
using Constraint = pinocchio::RigidConstraintModel;
using ConstraintData = pinocchio::RigidConstraintData;

std::vector<double> numbers(std::istream& text) {
    std::size_t count = 0;
    text >> count;
    std::vector<double> values(count);
    for (double& value : values) text >> value;
    if (!text) throw std::runtime_error("the model ends early");
    return values;
}

std::vector<double> numbers_after(const std::string& wanted, std::istream& text) {
    std::string word;
    text >> word;
    if (word != wanted) throw std::runtime_error("expected \"" + wanted + "\", found \"" + word + "\"");
    return numbers(text);
}

Eigen::Vector3d vector(const std::vector<double>& values, std::size_t from) {
    return {values[from], values[from + 1], values[from + 2]};
}

/// The frame of a joint in the drawing. Its third axis is that of the joint, so that the cheapest kinds of joint serve.
SE3 joint_frame(const std::string& kind, const std::vector<double>& values) {
    SE3 frame = SE3::Identity();
    if (kind != "free") frame.translation() = vector(values, 0);
    if (kind == "revolute" || kind == "translational") {
        const auto turn = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), vector(values, 3));
        frame.rotation() = turn.toRotationMatrix();
    }
    return frame;
}

pinocchio::JointModel joint_model(const std::string& kind) {
    if (kind == "free") return pinocchio::JointModelFreeFlyer();
    if (kind == "spherical") return pinocchio::JointModelSpherical();
    if (kind == "revolute") return pinocchio::JointModelRZ();
    if (kind == "translational") return pinocchio::JointModelPZ();
    throw std::runtime_error("no joint is called " + kind);
}

class Peer {
public:
    explicit Peer(std::istream& text) {
        model_.gravity.linear() = vector(numbers_after("gravity", text), 0);
        frames_.push_back(SE3::Identity());
        for (std::string word; text >> word;) {
            if (word == "joint") add_joint(text);
            if (word == "loop") add_loop(text);
            if (word == "bodies") {
                for (std::size_t body; text >> body;) checked_.push_back(body);
            }
        }
        finish();
    }

    std::string facts() const {
        return std::to_string(model_.nv) + " freedoms, " + std::to_string(3 * constraints_.size()) + " loop rows";
    }

    void evaluate(const std::string& algorithm) {
        if (algorithm == "aba") {
            pinocchio::aba(model_, data_, q_, v_, tau_, pinocchio::Convention::WORLD);
        } else if (algorithm == "lcaba") {
            pinocchio::lcaba(model_, loop_data_, q_, v_, tau_, constraints_, loop_datas_, loop_settings_);
        } else if (algorithm == "constraintDynamics") {
            pinocchio::constraintDynamics(model_, data_, q_, v_, tau_, constraints_, datas_, settings_);
        } else {
            throw std::runtime_error("no algorithm is called " + algorithm);
        }
    }

    double time_ns(const std::string& algorithm, long count) {
        for (long warm = 0; warm < count / 10 + 1; ++warm) evaluate(algorithm);
        const auto start = std::chrono::steady_clock::now();
        for (long done = 0; done < count; ++done) evaluate(algorithm);
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
        return spent.count() / static_cast<double>(count);
    }

    void print_accelerations(const std::string& algorithm) {
        evaluate(algorithm);
        const Eigen::VectorXd found = algorithm == "lcaba" ? loop_data_.ddq : data_.ddq;
        pinocchio::forwardKinematics(model_, data_, q_, v_, found);
        for (const std::size_t body : checked_) {
            const Eigen::Vector3d centre = model_.inertias[body].lever();
            const auto &acceleration = data_.a[body], &velocity = data_.v[body];
            const Eigen::Vector3d spin = velocity.angular();
            const Eigen::Vector3d moving = velocity.linear() + spin.cross(centre);
            const Eigen::Vector3d linear =
                acceleration.linear() + acceleration.angular().cross(centre) + spin.cross(moving);
            const Eigen::Matrix3d& rotation = data_.oMi[body].rotation();
            print(rotation * acceleration.angular());
            print(rotation * linear);
        }
        std::cout << std::endl;
    }

private:
    static void print(const Eigen::Vector3d& value) {
        std::cout << value.x() << ' ' << value.y() << ' ' << value.z() << ' ';
    }

    void add_joint(std::istream& text) {
        std::string name, kind;
        std::size_t parent = 0;
        text >> name >> kind >> parent;
        frames_.push_back(joint_frame(kind, numbers_after("frame", text)));
        const SE3& frame = frames_.back();
        const auto number = model_.addJoint(parent, joint_model(kind), frames_.at(parent).actInv(frame), name);
        const auto body = numbers_after("body", text);
        Eigen::Matrix3d inertia;
        inertia << body[4], body[5], body[6], body[5], body[7], body[8], body[6], body[8], body[9];
        const pinocchio::Inertia drawn(body[0], vector(body, 1), inertia);
        model_.appendBodyToJoint(number, frame.actInv(drawn));
        append(coordinates_, scalar_last(kind, numbers_after("position", text)));
        append(velocities_, local_twist(kind, coordinates_, numbers_after("velocity", text)));
    }

    static void append(std::vector<double>& to, const std::vector<double>& values) {
        to.insert(to.end(), values.begin(), values.end());
    }

    /// Pinocchio writes a quaternion x, y, z, w.
    static std::vector<double> scalar_last(const std::string& kind, std::vector<double> values) {
        const std::size_t at = kind == "free" ? 3 : 0;
        if (values.size() >= 4) std::rotate(values.begin() + at, values.begin() + at + 1, values.end());
        return values;
    }

    /// The base's velocity in its own axes.
    static std::vector<double> local_twist(
        const std::string& kind, const std::vector<double>& pose, std::vector<double> values) {
        if (kind != "free") return values;
        const Eigen::Quaterniond turn(pose[6], pose[3], pose[4], pose[5]);
        const Eigen::Vector3d local = turn.conjugate() * vector(values, 0);
        std::copy(local.data(), local.data() + 3, values.begin());
        return values;
    }

    void add_loop(std::istream& text) {
        std::size_t first = 0, second = 0;
        Eigen::Vector3d point;
        text >> first >> second >> point.x() >> point.y() >> point.z();
        const SE3 drawn(Eigen::Matrix3d::Identity(), point);
        constraints_.emplace_back(
            pinocchio::CONTACT_3D, model_, first, frames_.at(first).actInv(drawn), second, frames_.at(second).actInv(drawn),
            pinocchio::LOCAL);
    }

    void finish() {
        q_ = Eigen::Map<Eigen::VectorXd>(coordinates_.data(), static_cast<Eigen::Index>(coordinates_.size()));
        v_ = Eigen::Map<Eigen::VectorXd>(velocities_.data(), static_cast<Eigen::Index>(velocities_.size()));
        tau_ = Eigen::VectorXd::Zero(model_.nv);
        data_ = pinocchio::Data(model_);
        loop_data_ = pinocchio::Data(model_);
        for (const Constraint& constraint : constraints_) {
            datas_.emplace_back(constraint);
            loop_datas_.emplace_back(constraint);
        }
        pinocchio::initConstraintDynamics(model_, data_, constraints_, datas_);
        pinocchio::computeJointMinimalOrdering(model_, loop_data_, constraints_);
    }

    pinocchio::Model model_;
    pinocchio::Data data_, loop_data_;
    std::vector<SE3> frames_;
    std::vector<double> coordinates_, velocities_;
    std::vector<std::size_t> checked_;
    Eigen::VectorXd q_, v_, tau_;
    PINOCCHIO_ALIGNED_STD_VECTOR(Constraint) constraints_;
    PINOCCHIO_ALIGNED_STD_VECTOR(ConstraintData) datas_, loop_datas_;
    // One solution without regularisation.
    pinocchio::ProximalSettings settings_{1e-12, 0.0, 1};
    // The penalty that lcaba needs, where it is most exact here; one solution, no further iteration.
    pinocchio::ProximalSettings loop_settings_{1e-12, 1e-5, 1};
};

void serve(Peer& peer) {
    std::cout << "ready Pinocchio " << PINOCCHIO_VERSION << ", " << peer.facts() << std::endl;
    std::cout.precision(17);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string order, algorithm;
        long count = 0;
        words >> order >> algorithm;
        if (order == "time" && words >> count) {
            std::cout << peer.time_ns(algorithm, count) << std::endl;
        } else if (order == "accelerations") {
            peer.print_accelerations(algorithm);
        } else {
            throw std::runtime_error("not an order: " + line);
        }
    }
}

}  // namespace

int main(int count, char** arguments) {
    try {
        if (count != 2) throw std::runtime_error("expected the text of a model");
        std::ifstream text(arguments[1]);
        if (!text) throw std::runtime_error(std::string("cannot read ") + arguments[1]);
        Peer peer(text);
        serve(peer);
    } catch (const std::exception& error) {
        std::cerr << error.what() << std::endl;
        return 1;
    }
}
