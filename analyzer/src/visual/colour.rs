//! sRGB to CIE Lab, with the costly part done once per colour.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

pub(super) type Lab = [f32; 3];

/// Screenshots have few colours: flat areas and the greys of anti-aliasing.
#[derive(Default)]
pub(super) struct LabCache(HashMap<u32, Lab, BuildHasherDefault<crate::state::IdHasher>>);

impl LabCache {
    pub(super) fn lab(&mut self, rgb: [u8; 3]) -> Lab {
        let key = u32::from_le_bytes([rgb[0], rgb[1], rgb[2], 0]);
        *self.0.entry(key).or_insert_with(|| lab(rgb))
    }
}

pub(super) fn distance(a: Lab, b: Lab) -> f32 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
}

fn lab(rgb: [u8; 3]) -> Lab {
    let [r, g, b] = rgb.map(|channel| {
        let value = f32::from(channel) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    let x = (0.412_456 * r + 0.357_576 * g + 0.180_438 * b) / 0.950_47;
    let y = 0.212_673 * r + 0.715_152 * g + 0.072_175 * b;
    let z = (0.019_334 * r + 0.119_192 * g + 0.950_304 * b) / 1.088_83;
    let [x, y, z] = [x, y, z].map(|value| {
        if value > 0.008_856 {
            value.cbrt()
        } else {
            7.787 * value + 16.0 / 116.0
        }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// As a person would write it.
pub(super) fn hex(lab: Lab) -> String {
    let y = (lab[0] + 16.0) / 116.0;
    let (x, z) = (y + lab[1] / 500.0, y - lab[2] / 200.0);
    let [x, y, z] = [x, y, z].map(|value| {
        let cubed = value.powi(3);
        if cubed > 0.008_856 {
            cubed
        } else {
            (value - 16.0 / 116.0) / 7.787
        }
    });
    let (x, z) = (x * 0.950_47, z * 1.088_83);
    let linear = [
        3.240_454 * x - 1.537_139 * y - 0.498_531 * z,
        -0.969_266 * x + 1.876_011 * y + 0.041_556 * z,
        0.055_643 * x - 0.204_026 * y + 1.057_225 * z,
    ];
    let [r, g, b] = linear.map(|value| {
        let value = value.clamp(0.0, 1.0);
        let value = if value <= 0.003_131 {
            12.92 * value
        } else {
            1.055 * value.powf(1.0 / 2.4) - 0.055
        };
        (value * 255.0).round() as u8
    });
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours_come_out_as_published() {
        let close = |a: Lab, b: Lab| distance(a, b) < 0.1;
        assert!(close(lab([255, 255, 255]), [100.0, 0.0, 0.0]));
        assert!(close(lab([255, 0, 0]), [53.24, 80.09, 67.20]));
        assert_eq!(hex(lab([18, 52, 86])), "#123456");
    }
}
