//! `user.js`: a Firefox that is quiet, the same at every start, and behind our proxy.
//!
//! Firefox sets much of what automation wants by itself when its remote port is on (`remote.prefs.recommended`); here
//! is what that leaves out, and what comparing browsers needs.

use crate::launch::{Downloads, Hovering, LaunchOptions, MovingPictures, Peers, ServiceWorkers};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use xcheck_proxy::AtOnce;

pub(super) fn user_js(options: &LaunchOptions, home: &Path, custom: &BTreeMap<String, Value>) -> String {
    let mut all: BTreeMap<String, Value> = ALWAYS
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_json()))
        .collect();
    let mut set = |name: &str, value: Value| all.insert(name.to_owned(), value);
    // The content sandbox reads nothing below /tmp, where our font configuration is, and without it falls back to
    // other fonts.
    set(
        "security.sandbox.content.read_path_whitelist",
        json!(format!("{}/", home.display())),
    );
    set("intl.accept_languages", json!(options.languages.join(",")));
    if let Some(proxy) = options.proxy {
        set("network.proxy.type", json!(1));
        for scheme in ["http", "ssl"] {
            set(&format!("network.proxy.{scheme}"), json!(proxy.ip().to_string()));
            set(&format!("network.proxy.{scheme}_port"), json!(proxy.port()));
        }
        set("network.proxy.no_proxies_on", json!(""));
        set("network.proxy.allow_hijacking_localhost", json!(true));
    } else {
        set("network.proxy.type", json!(0));
    }
    // Firefox makes up moves of the mouse, some frames after the page has moved.
    if options.hovering == Hovering::WhenGiven {
        set("layout.reflow.synthMouseMove", json!(false));
    }
    if options.moving_pictures == MovingPictures::StandStill {
        set("image.animation_mode", json!("none"));
    }
    // Without the interface a page would not do what it does elsewhere: through a proxy they come without effect instead.
    if options.service_workers == ServiceWorkers::Blocked && options.proxy.is_none() {
        set("dom.serviceWorkers.enabled", json!(false));
    }
    if options.peers == Peers::Unreachable {
        set("media.peerconnection.ice.proxy_only", json!(true));
    }
    if options.at_once == AtOnce::All {
        for at in ["server", "proxy"] {
            set(&format!("network.http.max-persistent-connections-per-{at}"), json!(200));
        }
    }
    if options.downloads == Downloads::Denied {
        set("browser.download.forbid_open_with", json!(true));
        set("browser.download.start_downloads_in_tmp_dir", json!(true));
    }
    all.extend(custom.iter().map(|(name, value)| (name.clone(), value.clone())));
    all.iter()
        .map(|(name, value)| format!("user_pref({}, {value});\n", json!(name)))
        .collect()
}

enum Preference {
    Is(bool),
    Number(i64),
    Text(&'static str),
}

impl Preference {
    fn to_json(&self) -> Value {
        match self {
            Preference::Is(value) => json!(value),
            Preference::Number(value) => json!(value),
            Preference::Text(value) => json!(value),
        }
    }
}

use Preference::{Is, Number, Text};

const ALWAYS: &[(&str, Preference)] = &[
    // Nothing by itself to the network.
    ("app.normandy.enabled", Is(false)),
    ("app.update.auto", Is(false)),
    ("app.update.disabledForTesting", Is(true)),
    ("browser.region.network.url", Text("")),
    ("browser.safebrowsing.blockedURIs.enabled", Is(false)),
    ("browser.safebrowsing.downloads.enabled", Is(false)),
    ("browser.safebrowsing.malware.enabled", Is(false)),
    ("browser.safebrowsing.phishing.enabled", Is(false)),
    ("browser.search.update", Is(false)),
    ("browser.topsites.contile.enabled", Is(false)),
    ("datareporting.healthreport.uploadEnabled", Is(false)),
    ("datareporting.policy.dataSubmissionEnabled", Is(false)),
    // Firefox would end the script that runs when its page is navigated away, wherever it is.
    ("dom.ipc.cancel_content_js_when_navigating", Is(false)),
    // Input that is given to a window does not reach frames that live in a process of their own.
    ("fission.webContentIsolationStrategy", Number(0)),
    ("dom.push.connection.enabled", Is(false)),
    // Those that come with it, too: they make up a seventh of the processor time of a start.
    ("extensions.enabledScopes", Number(0)),
    ("extensions.getAddons.cache.enabled", Is(false)),
    ("extensions.systemAddon.update.enabled", Is(false)),
    ("extensions.update.enabled", Is(false)),
    ("geo.provider.network.url", Text("")),
    ("media.gmp-manager.updateEnabled", Is(false)),
    ("network.captive-portal-service.enabled", Is(false)),
    ("network.connectivity-service.enabled", Is(false)),
    ("network.dns.disablePrefetch", Is(true)),
    ("network.http.speculative-parallel-limit", Number(0)),
    ("network.prefetch-next", Is(false)),
    ("network.predictor.enabled", Is(false)),
    ("network.trr.mode", Number(5)),
    ("services.settings.server", Text("data:,#remote-settings-dummy/v1")),
    ("signon.autofillForms", Is(false)),
    ("signon.rememberSignons", Is(false)),
    ("toolkit.telemetry.enabled", Is(false)),
    ("toolkit.telemetry.server", Text("")),
    ("toolkit.telemetry.unified", Is(false)),
    // No first run, no questions, no helpers.
    ("browser.aboutwelcome.enabled", Is(false)),
    ("browser.newtabpage.enabled", Is(false)),
    ("browser.shell.checkDefaultBrowser", Is(false)),
    ("browser.startup.homepage", Text("about:blank")),
    ("browser.startup.page", Number(0)),
    ("browser.tabs.warnOnClose", Is(false)),
    ("browser.translations.enable", Is(false)),
    ("browser.warnOnQuit", Is(false)),
    ("datareporting.policy.dataSubmissionPolicyBypassNotification", Is(true)),
    ("dom.disable_open_during_load", Is(false)),
    ("dom.ipc.reportProcessHangs", Is(false)),
    ("dom.max_script_run_time", Number(0)),
    ("startup.homepage_welcome_url", Text("")),
    ("termsofuse.bypassNotification", Is(true)),
    // Pages are treated as elsewhere: no third-party blocking, no upgrade of schemes.
    ("browser.contentblocking.category", Text("custom")),
    ("dom.security.https_first", Is(false)),
    ("media.autoplay.default", Number(0)),
    // Without a sound card, what sounds fails as soon as it plays.
    ("media.cubeb.force_mock_context", Is(true)),
    ("network.cookie.cookieBehavior", Number(0)),
    ("privacy.trackingprotection.enabled", Is(false)),
    ("privacy.trackingprotection.pbmode.enabled", Is(false)),
    // A document that comes back from this cache has no load of its own; `pageshow` from it differs by engine.
    ("browser.sessionhistory.max_total_viewers", Number(0)),
    // The same pixels as elsewhere, every time.
    ("browser.display.use_system_colors", Is(false)),
    ("general.smoothScroll", Is(false)),
    ("gfx.color_management.mode", Number(0)),
    ("gfx.webrender.software", Is(true)),
    ("intl.regional_prefs.use_os_locales", Is(true)),
    ("layout.css.devPixelsPerPx", Text("1.0")),
    ("layout.spellcheckDefault", Number(0)),
    // What a page reads out of its canvas would be another picture in each profile.
    (
        "privacy.baselineFingerprintingProtection.overrides",
        Text("-CanvasRandomization,-EfficientCanvasRandomization"),
    ),
    // Links that were visited have another colour, from when on is up to the history's own thread.
    ("layout.css.visited_links_enabled", Is(false)),
    // A pointer that hovers and is fine, as in the other engines: without a window there would be none.
    ("ui.allPointerCapabilities", Number(6)),
    ("ui.caretBlinkTime", Number(0)),
    ("ui.primaryPointerCapabilities", Number(6)),
    ("ui.prefersReducedMotion", Number(0)),
    ("ui.systemUsesDarkTheme", Number(0)),
    ("ui.useOverlayScrollbars", Number(1)),
    ("widget.gtk.overlay-scrollbars.enabled", Is(true)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_another_site_are_where_input_reaches_them() {
        let text = user_js(&LaunchOptions::default(), Path::new("/home"), &BTreeMap::new());
        assert!(text.contains("user_pref(\"fission.webContentIsolationStrategy\", 0);\n"));
    }

    #[test]
    fn a_custom_preference_wins_and_text_is_quoted() {
        let custom = BTreeMap::from([
            ("general.smoothScroll".to_owned(), json!(true)),
            ("a".to_owned(), json!("\"); quit(); (\"")),
        ]);
        let text = user_js(&LaunchOptions::default(), Path::new("/home"), &custom);
        assert!(text.contains("user_pref(\"general.smoothScroll\", true);\n"));
        assert!(text.contains(r#"user_pref("a", "\"); quit(); (\"");"#));
        assert!(!text.contains("smoothScroll\", false"));
    }
}
