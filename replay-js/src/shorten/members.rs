//! Chooses short names for members of our own objects.
//!
//! No rule tells those from what browsers, pages and files know by name. So they are listed, the most used and the longest; one
//! that also stands in a text could be meant there, and is refused.

use super::scopes::Use;
use super::tokens::{Kind, Token, is_name_char};
use std::collections::{BTreeMap, BTreeSet};

/// Members that only our own scripts ask for, each within the script that makes it.
const OWN: &str = "accessor addRealm address allFinished attribute baseUri beginBetween boundingBox byTagName \
    closeSocket codeAt deliveries descriptor dispatching documentById eventTarget eventTimeStamp \
    eventType flushAtEnd fragmentById gave goOn happened hashCallback hears hearsType hold holder \
    hurry inside isAwaited isByOtherMeans isMove isVisited keeper labelsOf lay listLength \
    lookForNew nested nextTurn onHost onResource onRoot onSent onType parsed previousElement queue \
    release removeRealm restore rootOf schedule scriptFinished scriptRan sendText shadowHost \
    sliceText sync textOf token unwatch watch windowNumber windowNumbers windows written";

fn is_own(name: &str) -> bool {
    OWN.split_whitespace().any(|own| own == name)
}

/// The new name of each member that the script has.
pub(crate) fn choose<'a>(tokens: &[Token<'a>], uses: &[Use]) -> BTreeMap<&'a str, String> {
    let mut own: Vec<&str> = Vec::new();
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for (token, used) in tokens.iter().zip(uses) {
        let is_member = matches!(used, Use::None | Use::Variable { shorthand: true, .. });
        if token.is_name() && is_member {
            if is_own(token.text) {
                own.push(token.text);
            } else {
                taken.insert(token.text);
            }
        } else if token.is_name() {
            let is_ours = matches!(used, Use::Variable { .. }) || !is_own(token.text);
            assert!(is_ours, "{} is a name from outside, too", token.text);
        } else if token.kind == Kind::Literal {
            for word in token.text.split(|c| !is_name_char(c)) {
                assert!(!is_own(word), "{word} stands in a text, too");
                taken.insert(word);
            }
        }
    }
    // In the order in which they first come, which is the same however the list is sorted.
    let mut seen = BTreeSet::new();
    own.retain(|name| seen.insert(*name));
    let short = super::names::short_names()
        .skip(26)
        .filter(|name| !taken.contains(name.as_str()));
    own.into_iter().zip(short).collect()
}
