//! Outlines as `path()` has them, written by each engine in its own letters.

/// A piece of an outline: its letter, as a capital, and its numbers, from the corner of the box.
pub(super) type Piece = (char, Vec<f32>);

/// What a path's data say with all places told from one corner, and lines across and down as lines; nothing where they are no
/// path's.
pub(super) fn absolute(data: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let (mut at, mut start) = ([0.0, 0.0], [0.0, 0.0]);
    for (letter, numbers) in commands(data)? {
        let count = numbers_of(letter.to_ascii_uppercase())?;
        if count == 0 {
            pieces.push(('Z', Vec::new()));
            at = start;
            continue;
        }
        if numbers.is_empty() || numbers.len() % count != 0 {
            return None;
        }
        for (turn, numbers) in numbers.chunks(count).enumerate() {
            let piece = placed(letter, numbers, at);
            at = end(&piece)?;
            match piece.0 {
                // More places behind that of a move are lines.
                'M' if turn > 0 => pieces.push(('L', piece.1)),
                'M' => {
                    start = at;
                    pieces.push(piece);
                }
                _ => pieces.push(piece),
            }
        }
    }
    Some(pieces)
}

fn numbers_of(letter: char) -> Option<usize> {
    Some(match letter {
        'Z' => 0,
        'H' | 'V' => 1,
        'M' | 'L' | 'T' => 2,
        'S' | 'Q' => 4,
        'C' => 6,
        'A' => 7,
        _ => return None,
    })
}

fn placed(letter: char, numbers: &[f32], [x, y]: [f32; 2]) -> Piece {
    let relative = letter.is_ascii_lowercase();
    let from = |at: f32| if relative { at } else { 0.0 };
    let capital = letter.to_ascii_uppercase();
    match (capital, numbers) {
        ('H', [to]) => ('L', vec![to + from(x), y]),
        ('V', [to]) => ('L', vec![x, to + from(y)]),
        // Radii, a turn and two choices; the end alone is a place.
        ('A', [shape @ .., to_x, to_y]) => {
            let mut all = shape.to_vec();
            all.extend([to_x + from(x), to_y + from(y)]);
            ('A', all)
        }
        _ => {
            let places = numbers.iter().enumerate();
            let all = places.map(|(index, number)| number + from(if index % 2 == 0 { x } else { y }));
            (capital, all.collect())
        }
    }
}

fn end((_, numbers): &Piece) -> Option<[f32; 2]> {
    match numbers.as_slice() {
        [.., x, y] => Some([*x, *y]),
        _ => None,
    }
}

/// Letters with the numbers behind them.
fn commands(data: &str) -> Option<Vec<(char, Vec<f32>)>> {
    let mut found: Vec<(char, Vec<f32>)> = Vec::new();
    let mut rest = data.trim_start_matches(is_between);
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_alphabetic() {
            found.push((first, Vec::new()));
            rest = &rest[1..];
        } else {
            let (letter, numbers) = found.last_mut()?;
            let is_choice = letter.eq_ignore_ascii_case(&'a') && matches!(numbers.len() % 7, 3 | 4);
            let length = if is_choice { 1 } else { number_length(rest) };
            numbers.push(rest.get(..length)?.parse().ok()?);
            rest = &rest[length..];
        }
        rest = rest.trim_start_matches(is_between);
    }
    Some(found)
}

fn is_between(letter: char) -> bool {
    letter.is_whitespace() || letter == ','
}

/// Numbers may follow each other with nothing between them: `1.5.5-2`.
fn number_length(text: &str) -> usize {
    let (mut points, mut before) = (0, ' ');
    for (index, letter) in text.char_indices() {
        points += usize::from(letter == '.');
        let goes_on = match letter {
            '+' | '-' => index == 0 || before == 'e',
            '.' => points == 1,
            'e' => index > 0,
            _ => letter.is_ascii_digit(),
        };
        if !goes_on {
            return index;
        }
        before = letter;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_letters_say_the_same_as_capitals() {
        let capitals = absolute("M 12 21 C 5 15 2 12 2 8 A 5 5 0 0 1 12 7 L 12 9 L 3 9 Z M 13 21");
        let others = absolute("m12,21c-7-6-10-9-10-13a5 5 0 0110-1v2h-9zm1 0");
        assert!(capitals.is_some());
        assert_eq!(capitals, others);
    }

    #[test]
    fn what_is_no_path_is_none() {
        for text in ["", "12 21", "M 1", "M 1 2 X 3", "L \u{e9}"] {
            assert_eq!(absolute(text).filter(|pieces| !pieces.is_empty()), None, "{text}");
        }
    }

    #[test]
    fn numbers_need_nothing_between_them() {
        let pieces = absolute("M1.5.5-2-3e1");
        assert_eq!(pieces, Some(vec![('M', vec![1.5, 0.5]), ('L', vec![-2.0, -30.0])]));
    }
}
