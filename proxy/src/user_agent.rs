//! Which browser a client is, by what it calls itself. For recordings of clients that we did not start ourselves.

use xcheck_trace::manifest::{BrowserInfo, Engine};

/// Product, name on our command line, engine; more specific ones first, because everybody claims to be Chrome and Safari.
const PRODUCTS: [(&str, &str, Engine); 6] = [
    ("Edg/", "edge", Engine::Blink),
    ("Firefox/", "firefox", Engine::Gecko),
    ("HeadlessChrome/", "chromium", Engine::Blink),
    ("Chromium/", "chromium", Engine::Blink),
    ("Chrome/", "chrome", Engine::Blink),
    ("Version/", "webkit", Engine::WebKit),
];

pub(crate) fn browser(user_agent: &str) -> Option<BrowserInfo> {
    PRODUCTS.iter().find_map(|(product, name, engine)| {
        let (_, rest) = user_agent.split_once(product)?;
        let version: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        Some(BrowserInfo {
            name: (*name).to_owned(),
            engine: *engine,
            version,
            user_agent: user_agent.to_owned(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_known_by_their_own_product() {
        let check = |user_agent: &str, expected: (&str, &str)| {
            let info = browser(user_agent).unwrap();
            assert_eq!((info.name.as_str(), info.version.as_str()), expected);
        };
        let mozilla = "Mozilla/5.0 (X11; Linux x86_64)";
        check(
            &format!("{mozilla} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.1"),
            ("edge", "126.0.1"),
        );
        check(
            &format!("{mozilla} AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36"),
            ("chromium", "126.0.0.0"),
        );
        check(&format!("{mozilla} Gecko/20100101 Firefox/128.0"), ("firefox", "128.0"));
        check(
            &format!("{mozilla} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15"),
            ("webkit", "17.4"),
        );
        assert_eq!(browser("curl/8.0"), None);
    }
}
