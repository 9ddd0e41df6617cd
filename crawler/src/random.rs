//! Numbers from a seed, the same on every machine.

/// SplitMix64: small, and good enough for choosing values.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// One sequence for each purpose, so that one value more in one place does not shift all others.
    pub(crate) fn of(seed: u64, purpose: &str) -> Random {
        Random(seed ^ hash(purpose))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// From 0 to `below`, without it.
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        self.next() % below.max(1)
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len() as u64) as usize)
    }
}

/// FNV-1a. Kept in files, so it must not change.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_a_purpose_give_one_sequence() {
        let of = |seed, purpose| {
            let mut random = Random::of(seed, purpose);
            [random.next(), random.next()]
        };
        assert_eq!(of(1, "a"), of(1, "a"));
        assert_ne!(of(1, "a"), of(2, "a"));
        assert_ne!(of(1, "a"), of(1, "b"));
    }
}
