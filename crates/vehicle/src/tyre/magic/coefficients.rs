//! Coefficients by section, under the names that they have in the file (in lower case).
//!
//! A required coefficient that is missing is a fault. The others are zero when they are missing, or
//! what stands behind the `=`: files of one version leave out what another version added.

use crate::files::FileError;
use crate::tyre::property::PropertyFile;

macro_rules! coefficients {
    ($name:ident, $section:literal, $about:literal, [$($required:ident)*], [$($optional:ident $(= $default:literal)?)*]) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name {
            $(pub $required: f64,)*
            $(pub $optional: f64,)*
        }

        impl $name {
            pub fn read(file: &PropertyFile<'_>) -> Result<Self, FileError> {
                Ok(Self {
                    $($required: file.required($section, &stringify!($required).to_uppercase())?,)*
                    $($optional: file.coefficient(
                        $section,
                        &stringify!($optional).to_uppercase(),
                        0.0 $(+ $default)?,
                    )?,)*
                })
            }
        }
    };
}

coefficients!(
    Scaling, "SCALING_COEFFICIENTS", "Scaling factors λ, 1 when they are missing.",
    [],
    [
        lfzo = 1.0 lcx = 1.0 lmux = 1.0 lex = 1.0 lkx = 1.0 lhx = 1.0 lvx = 1.0 lgax = 1.0 lcy = 1.0 lmuy = 1.0 ley = 1.0
        lky = 1.0 lhy = 1.0 lvy = 1.0 lgay = 1.0 ltr = 1.0 lres = 1.0 lgaz = 1.0 lxal = 1.0 lyka = 1.0 lvyka = 1.0 ls = 1.0
        lsgkp = 1.0 lsgal = 1.0 lmx = 1.0 lvmx = 1.0 lmy = 1.0 lkyc = 1.0 lkzc = 1.0
    ]
);

coefficients!(
    Longitudinal, "LONGITUDINAL_COEFFICIENTS", "F_x.",
    [pcx1 pdx1 pkx1],
    [
        pdx2 pdx3 pex1 pex2 pex3 pex4 pkx2 pkx3 phx1 phx2 pvx1 pvx2 ppx1 ppx2 ppx3 ppx4
        rbx1 rbx2 rbx3 rcx1 rex1 rex2 rhx1 ptx1 ptx2 ptx3
    ]
);

coefficients!(
    Lateral, "LATERAL_COEFFICIENTS", "F_y.",
    [pcy1 pdy1 pky1 pky2],
    [
        pdy2 pdy3 pey1 pey2 pey3 pey4 pey5 pky3 pky4 = 2.0 pky5 pky6 pky7 phy1 phy2 phy3 pvy1 pvy2 pvy3 pvy4
        ppy1 ppy2 ppy3 ppy4 ppy5 rby1 rby2 rby3 rby4 rcy1 rey1 rey2 rhy1 rhy2 rvy1 rvy2 rvy3 rvy4 rvy5 rvy6 pty1 pty2
    ]
);

coefficients!(
    Aligning, "ALIGNING_COEFFICIENTS", "M_z.",
    [qbz1 qcz1 qdz1],
    [
        qbz2 qbz3 qbz4 qbz5 qbz9 qbz10 qdz2 qdz3 qdz4 qdz6 qdz7 qdz8 qdz9 qdz10 qdz11 qez1 qez2 qez3 qez4 qez5
        qhz1 qhz2 qhz3 qhz4 ssz1 ssz2 ssz3 ssz4 ppz1 ppz2
    ]
);

coefficients!(
    Overturning, "OVERTURNING_COEFFICIENTS", "M_x.",
    [],
    [qsx1 qsx2 qsx3 qsx4 qsx5 qsx6 qsx7 qsx8 qsx9 qsx10 qsx11 qsx12 qsx13 qsx14 ppmx1]
);

coefficients!(
    Rolling, "ROLLING_COEFFICIENTS", "M_y.",
    [],
    [qsy1 qsy2 qsy3 qsy4 qsy5 qsy6 qsy7 = 1.0 qsy8]
);

/// Everything that both versions read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficients {
    pub scale: Scaling,
    pub x: Longitudinal,
    pub y: Lateral,
    pub z: Aligning,
    pub overturning: Overturning,
    pub rolling: Rolling,
    /// False where the file has no coefficients of combined slip: then the friction ellipse
    /// combines.
    pub has_combined: bool,
}

impl Coefficients {
    pub fn read(file: &PropertyFile<'_>) -> Result<Self, FileError> {
        for section in ["LONGITUDINAL", "LATERAL", "ALIGNING"] {
            file.require(&format!("{section}_COEFFICIENTS"))?;
        }
        let (x, y) = (Longitudinal::read(file)?, Lateral::read(file)?);
        // A sign that some published sets have. It makes D negative, which no friction is.
        for (section, key, value) in
            [("LONGITUDINAL_COEFFICIENTS", "PDX1", x.pdx1), ("LATERAL_COEFFICIENTS", "PDY1", y.pdy1)]
        {
            if value <= 0.0 {
                let line = file.line(section, key);
                let problem = format!(
                    "expected a friction above 0, found {value}; a set of another sign convention must be converted \
                     to ISO (W): PDX1 > 0, PDY1 > 0, PKX1 > 0, PKY1 < 0"
                );
                return Err(file.fault(line, key, problem));
            }
        }
        if y.pky2 == 0.0 {
            let line = file.require("LATERAL_COEFFICIENTS")?;
            return Err(file.fault(line, "PKY2", "expected a number that is not zero"));
        }
        let rolling = Rolling::read(file)?;
        if !(0.0..=5.0).contains(&rolling.qsy7) || rolling.qsy8.abs() > 5.0 {
            let line = file.require("ROLLING_COEFFICIENTS").unwrap_or(1);
            return Err(file.fault(line, "QSY7", "expected QSY7 of 0 to 5 and QSY8 of -5 to 5"));
        }
        Ok(Self {
            has_combined: x.rbx1 != 0.0 && x.rcx1 != 0.0 && y.rby1 != 0.0 && y.rcy1 != 0.0,
            scale: Scaling::read(file)?,
            x,
            y,
            z: Aligning::read(file)?,
            overturning: Overturning::read(file)?,
            rolling,
        })
    }
}
