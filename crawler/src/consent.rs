//! What a person has to agree to before a machine does it: deleting, paying, leaving.

use xcheck_agent::live::Candidate;

/// Whole words, in the languages that most applications speak.
const WORDS: &[&str] = &[
    // English
    "delete",
    "remove",
    "erase",
    "destroy",
    "purge",
    "wipe",
    "drop",
    "log out",
    "logout",
    "log off",
    "logoff",
    "sign out",
    "signout",
    "pay",
    "buy",
    "purchase",
    "checkout",
    "place order",
    "order now",
    "unsubscribe",
    "deactivate",
    "terminate",
    "close account",
    "cancel subscription",
    "cancel account",
    "transfer",
    "withdraw",
    "factory reset",
    "discard",
    // German, French, Spanish, Italian, Portuguese
    "löschen",
    "entfernen",
    "abmelden",
    "ausloggen",
    "bezahlen",
    "kaufen",
    "kündigen",
    "supprimer",
    "effacer",
    "déconnexion",
    "se déconnecter",
    "payer",
    "acheter",
    "résilier",
    "eliminar",
    "borrar",
    "cerrar sesión",
    "pagar",
    "comprar",
    "elimina",
    "cancella",
    "disconnetti",
    "esci",
    "paga",
    "acquista",
    "excluir",
    "apagar",
    "sair",
];

/// The word that makes it look destructive.
pub(crate) fn destructive(candidate: &Candidate) -> Option<&'static str> {
    let target = &candidate.target;
    let address = candidate.href.as_deref().or(candidate.form_action.as_deref());
    let address = address
        .and_then(|address| address.split_once("://"))
        .map(|(_, rest)| rest);
    let address = address.and_then(|rest| rest.split_once('/')).map(|(_, path)| path);
    let said = [
        Some(candidate.text.as_str()),
        target.name.as_deref(),
        target.text.as_deref(),
        target.id.as_deref(),
        target.test_id.as_deref(),
        address,
    ];
    let said = said.into_iter().flatten().map(words);
    let said: Vec<String> = said.collect();
    let says = |word: &&str| said.iter().any(|text| text.contains(&format!(" {word} ")));
    WORDS.iter().copied().find(says)
}

/// Lower case, words parted by single spaces, with one in front and one behind.
fn words(text: &str) -> String {
    let mut words = String::from(" ");
    let mut before = ' ';
    for c in text.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        match c.is_alphanumeric() {
            true => words.extend(c.to_lowercase()),
            false if !words.ends_with(' ') => words.push(' '),
            false => {}
        }
        before = c;
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcheck_trace::event::Target;

    #[test]
    fn what_cannot_be_undone_is_known_by_its_words() {
        let says = |text: &str| {
            destructive(&Candidate {
                text: text.into(),
                ..Candidate::default()
            })
        };
        for text in [
            "Delete",
            "Log out",
            "LOGOUT",
            "Pay now",
            "Sign-out",
            "removeItem",
            "Konto löschen",
        ] {
            assert!(says(text).is_some(), "{text}");
        }
        for text in ["Paper", "Next", "Undelete?", "Blog output", "Dropdown", "Payments"] {
            assert_eq!(says(text), None, "{text}");
        }
        let link = Candidate {
            href: Some("https://delete.example/account/logout".into()),
            ..Candidate::default()
        };
        assert_eq!(destructive(&link), Some("logout"));
        let by_id = Candidate {
            target: Target {
                id: Some("deleteRow3".into()),
                ..Target::default()
            },
            ..Candidate::default()
        };
        assert_eq!(destructive(&by_id), Some("delete"));
    }
}
