//! Assembles the scripts once, so that a mistake in them fails the build and the library only fills in the config.

#[path = "src/assemble.rs"]
mod assemble;
#[path = "src/shorten/mod.rs"]
mod shorten;

fn main() {
    let root = std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("page");
    let out = std::env::var("OUT_DIR").expect("set by cargo");
    println!("cargo::rerun-if-changed=page");
    for entry in [
        "record",
        "replay",
        "live",
        "collect",
        "worker",
        "service-worker",
        "keep",
        "restore",
    ] {
        let text = match assemble::assemble(&root, &format!("{entry}.js")) {
            Ok(script) => shorten::shorten(&script),
            Err(why) => {
                println!("cargo::error={why}");
                return;
            }
        };
        std::fs::write(format!("{out}/{entry}.js"), text).expect("the output folder can be written");
    }
}
