//! Which responses get the script, and what their heads become.
