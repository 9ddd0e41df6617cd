//! Addresses that are the same but for values in their query: a time or a random number that keeps a cache from answering.

/// An address taken apart: what is before the query, and its parameters by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query<'a> {
    pub address: &'a str,
    /// Name and value, sorted by name; those of one name stay in their order.
    pub parameters: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Query<'a> {
    pub fn of(url: &'a str) -> Query<'a> {
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let parameter = |text: &'a str| {
            text.split_once('=')
                .map_or((text, None), |(name, value)| (name, Some(value)))
        };
        let mut parameters: Vec<_> = query
            .split('&')
            .filter(|text| !text.is_empty())
            .map(parameter)
            .collect();
        parameters.sort_by_key(|(name, _)| *name);
        Query { address, parameters }
    }

    /// Whether another one asks the same of the same, with whatever values. Without a query an address is itself alone.
    pub fn is_alike(&self, other: &Query<'_>) -> bool {
        self.address == other.address
            && self.parameters.len() == other.parameters.len()
            && self
                .parameters
                .iter()
                .zip(&other.parameters)
                .all(|(own, of)| own.0 == of.0)
    }

    /// How many values are the same in an address that is alike.
    pub fn same_values(&self, other: &Query<'_>) -> usize {
        let pairs = self.parameters.iter().zip(&other.parameters);
        pairs.filter(|(own, of)| own.1 == of.1).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_alike_by_the_names_in_their_query() {
        let known = Query::of("http://a/x?page=2&t=1");
        let check = |url| {
            let other = Query::of(url);
            known.is_alike(&other).then(|| known.same_values(&other))
        };
        assert_eq!(check("http://a/x?t=9&page=2"), Some(1));
        assert_eq!(check("http://a/x?page=3&t"), Some(0));
        assert_eq!(check("http://a/x?page=2"), None);
        assert_eq!(check("http://a/y?page=2&t=1"), None);
        assert_eq!(check("http://a/x?page=2&t=1&t=1"), None);
    }
}
