// Forces of Project Chrono's handling tyres over a grid: TMeasy and Fiala of the HMMWV, and Pac02 of a .tir file.
//
//   c++ -O1 -I EXTRACTED chrono_grid.cpp -o chrono_grid && ./chrono_grid TYRE.tir OUTPUT_FOLDER
//
// The .inc files are functions of Chrono, taken out by chrono_extract.py. What stands here is what they need around them, and the loops.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

struct ChVector3d {};
constexpr double CH_PI = 3.14159265358979323846, CH_PI_2 = CH_PI / 2;
template <class T> T ChSignum(T x) { return (x > T(0)) - (x < T(0)); }
template <class T> void ChClampValue(T& value, T least, T most) { value = std::min(std::max(value, least), most); }

struct ChTMeasyTire {
#include "tmeasy_states.inc"
    TireStates m_states;
    void tmxy_combined(double&, double&, double, double, double, double, double, double);
    double AlignmentTorque(double);
};
#include "tmeasy.inc"

struct ChFialaTire {
    double m_mu = 0.8, m_mu_0 = 0.8, m_c_slip = 193929, m_c_alpha = 50000, m_u_min = 0.5568, m_u_max = 0.9835, m_width = 0.318;
    void FialaPatchForces(double&, double&, double&, double, double, double);
};
#include "fiala.inc"

struct ChPac02Tire {
#include "pac02_structs.inc"
    MFCoeff m_par;
    TireStates m_states;
    unsigned m_use_mode = 4;
    bool m_use_friction_ellipsis = false;
    void CalcFxyMz(double&, double&, double&, double, double, double, double);
};
#include "pac02.inc"

const double slips[] = {-0.4, -0.05, 0.0, 0.02, 0.15}, angles[] = {-12, -3, -0.5, 0, 1.5, 8}, loads[] = {900, 2500, 4000, 6500};

FILE* table(const std::string& path, const char* head) {
    FILE* out = std::fopen(path.c_str(), "w");
    std::fprintf(out, "%s\n", head);
    return out;
}

// ChTMeasyTire::Synchronize and ::Advance above 3 m/s, with the numbers that GuessTruck80Par gives for HMMWV_TMeasyTire.json.
void tmeasy(const std::string& folder) {
    FILE* out = table(folder + "/chrono-hmmwv-tmeasy.csv", "load_n,slip_angle_deg,slip,muscale,fx_n,fy_n,mz_nm");
    const double pn = 4905, stiffness = 9810 / (0.16 * (0.4699 - 0.2095)), radius = 0.4699, speed = 20;
    for (double load : loads) for (double angle : angles) for (double slip : slips) for (double muscale : {1.0, 0.5}) {
        ChTMeasyTire tyre;
        auto& s = tyre.m_states;
        s.q = load / pn;
        auto linear = [&](double a, double b) { return a + (b - a) * (s.q - 1); };
        auto square = [&](double a, double b) { a *= pn; b *= 2 * pn; return s.q * (2 * a - 0.5 * b - (a - 0.5 * b) * s.q); };
        const double turning = speed * (1 + slip);
        s.sx = (turning - speed) / std::abs(turning);
        s.sy = -speed * std::tan(angle * CH_PI / 180) / std::abs(turning);
        s.P_len = 2 * std::sqrt(radius * load / stiffness);
        s.nL0 = linear(0.178, 0.19);
        s.sq0 = linear(0.36484, 0.36538);
        s.sqe = linear(1.0296, 1.0296);
        const double sc = std::hypot(s.sx, s.sy), c = sc > 0 ? s.sx / sc : std::sqrt(0.5), n = sc > 0 ? s.sy / sc : std::sqrt(0.5);
        double f = 0, fos = 0;
        tyre.tmxy_combined(f, fos, sc, std::hypot(square(17.7764, 14.5301) * c, square(7.4013, 6.8505) * n),
                           muscale * std::hypot(linear(0.10811, 0.12389) * c, linear(0.33167, 0.33216) * n),
                           muscale * std::hypot(square(0.89965, 0.77751) * c, square(0.75876, 0.72628) * n),
                           muscale * std::hypot(linear(0.66667, 0.66667) * c, linear(1.0296, 1.0296) * n),
                           muscale * std::hypot(square(0.46183, 0.42349) * c, square(0.68276, 0.65319) * n));
        const double fy = sc > 0 ? f * n : 0;
        std::fprintf(out, "%g,%g,%g,%g,%.10g,%.10g,%.10g\n", load, angle, slip, muscale, sc > 0 ? f * c : 0, fy, tyre.AlignmentTorque(fy));
    }
    std::fclose(out);
}

void fiala(const std::string& folder) {
    FILE* out = table(folder + "/chrono-hmmwv-fiala.csv", "load_n,slip_angle_deg,slip,fx_n,fy_n,mz_nm");
    ChFialaTire tyre;
    for (double load : loads) for (double angle : angles) for (double slip : slips) {
        double fx, fy, mz;
        tyre.FialaPatchForces(fx, fy, mz, slip, angle * CH_PI / 180, load);
        std::fprintf(out, "%g,%g,%g,%.10g,%.10g,%.10g\n", load, angle, slip, fx, fy, mz);
    }
    std::fclose(out);
}

void pac02(const std::string& file, const std::string& folder) {
    std::map<std::string, double> values;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        char key[64]; double value;
        if (std::sscanf(line.c_str(), "%63[A-Z0-9_] = %lf", key, &value) == 2) values[key] = value;
    }
    ChPac02Tire tyre;
    auto& p = tyre.m_par;
#define READ(name) if (values.count(#name)) p.name = values[#name];
    READ(UNLOADED_RADIUS) READ(FNOMIN)
    READ(PCX1) READ(PDX1) READ(PDX2) READ(PDX3) READ(PEX1) READ(PEX2) READ(PEX3) READ(PEX4) READ(PKX1) READ(PKX2) READ(PKX3)
    READ(PHX1) READ(PHX2) READ(PVX1) READ(PVX2) READ(RBX1) READ(RBX2) READ(RCX1) READ(REX1) READ(REX2) READ(RHX1)
    READ(PCY1) READ(PDY1) READ(PDY2) READ(PDY3) READ(PEY1) READ(PEY2) READ(PEY3) READ(PEY4) READ(PKY1) READ(PKY2) READ(PKY3)
    READ(PHY1) READ(PHY2) READ(PHY3) READ(PVY1) READ(PVY2) READ(PVY3) READ(PVY4) READ(RBY1) READ(RBY2) READ(RBY3) READ(RCY1)
    READ(REY1) READ(REY2) READ(RHY1) READ(RHY2) READ(RVY1) READ(RVY2) READ(RVY3) READ(RVY4) READ(RVY5) READ(RVY6)
    READ(QBZ1) READ(QBZ2) READ(QBZ3) READ(QBZ4) READ(QBZ5) READ(QBZ9) READ(QBZ10) READ(QCZ1) READ(QDZ1) READ(QDZ2) READ(QDZ3)
    READ(QDZ4) READ(QDZ6) READ(QDZ7) READ(QDZ8) READ(QDZ9) READ(QEZ1) READ(QEZ2) READ(QEZ3) READ(QEZ4) READ(QEZ5)
    READ(QHZ1) READ(QHZ2) READ(QHZ3) READ(QHZ4) READ(SSZ1) READ(SSZ2) READ(SSZ3) READ(SSZ4)
    auto& s = tyre.m_states;
    s.mu_scale = 1;
    s.dpi = 0;
    s.Fz0_prime = p.FNOMIN;
    FILE* out = table(folder + "/chrono-car-205-60R15.csv", "load_n,slip_angle_deg,slip,fx_n,fy_n,mz_uncombined_nm");
    for (double load : loads) for (double angle : {-3.0, -2.0, -0.5, 0.0, 1.5, 3.0}) for (double slip : {-0.06, -0.02, 0.0, 0.02, 0.05}) {
        double fx, fy, mz, unused;
        s.dfz0 = (load - p.FNOMIN) / p.FNOMIN;
        tyre.m_use_mode = 4;
        tyre.CalcFxyMz(fx, fy, unused, slip, angle * CH_PI / 180, load, 0);
        tyre.m_use_mode = 3;
        tyre.CalcFxyMz(unused, unused, mz, 0, angle * CH_PI / 180, load, 0);
        std::fprintf(out, "%g,%g,%g,%.10g,%.10g,%.10g\n", load, angle, slip, fx, fy, mz);
    }
    std::fclose(out);
}

int main(int, char** arguments) {
    tmeasy(arguments[2]);
    fiala(arguments[2]);
    pac02(arguments[1], arguments[2]);
}
