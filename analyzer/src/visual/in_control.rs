//! A drawing in a control that the page leaves its engine's look: what it stands on is the engine's, and so is the shade of what
//! takes the control's colour. What is compared is how far what is drawn is from its ground.

use super::colour::{Lab, distance};
use super::crops::Crop;
use super::ink::Ink;
use crate::scene::{Pair, Scene};
use crate::structure::is_control;

const WHITE: Lab = [100.0, 0.0, 0.0];

/// The two pictures without what is the engine's of them.
pub(super) fn freed(scene: &Scene<'_>, pair: Pair<'_>, a: Crop, b: Crop) -> (Crop, Crop) {
    let mut above = scene.reference().ancestors(pair.a.id);
    let control = above.find(|node| is_control(node)).and_then(|node| scene.pair(node.id));
    let Some(control) = control.filter(|&control| !scene.authors(control, "background-color")) else {
        return (a, b);
    };
    let (ink_a, ink_b) = (Ink::of(&a), Ink::of(&b));
    let [_, hue, ..] = ink_a.apart(&ink_b);
    let is_shade = !scene.authors(control, "color") && hue <= scene.tolerances.ink_colour;
    (on_white(a, &ink_a, is_shade), on_white(b, &ink_b, is_shade))
}

/// `is_shade`: what is darkest or lightest becomes black.
fn on_white(crop: Crop, ink: &Ink, is_shade: bool) -> Crop {
    let (ground, contrast) = (ink.background(), ink.contrast().max(1.0));
    crop.recoloured(|pixel| {
        if is_shade {
            let share = (distance(pixel, ground) / contrast).min(1.0);
            [WHITE[0] * (1.0 - share), 0.0, 0.0]
        } else {
            [0, 1, 2].map(|channel| WHITE[channel] + pixel[channel] - ground[channel])
        }
    })
}
