//! Which of the messages before an edit are still there after it.

use std::collections::HashMap;

/// For each new item the old one that it is, unchanged; in order on both sides.
///
/// Items that occur once on both sides anchor the rest (the idea of the patience diff); between anchors what is equal from the front and
/// from the back is matched. Linear but for a logarithm, and never wrong: what is not matched counts as changed.
pub(crate) fn align(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let mut matched = vec![None; new.len()];
    let mut anchors = vec![];
    let once = |items: &[String]| {
        let mut seen: HashMap<String, Option<usize>> = HashMap::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            seen.entry(item.clone()).and_modify(|place| *place = None).or_insert(Some(at));
        }
        seen
    };
    let old_once = once(old);
    for (item, at) in once(new) {
        if let (Some(new_at), Some(Some(old_at))) = (at, old_once.get(&item)) {
            anchors.push((new_at, *old_at));
        }
    }
    anchors.sort_unstable();
    let mut anchors = rising(&anchors);
    anchors.push((new.len(), old.len()));
    let (mut new_from, mut old_from) = (0, 0);
    for (new_to, old_to) in anchors {
        let same = |new_at: usize, old_at: usize| new.get(new_at) == old.get(old_at);
        let (mut new_end, mut old_end) = (new_to, old_to);
        while new_from < new_end && old_from < old_end && same(new_from, old_from) {
            put(&mut matched, new_from, old_from);
            (new_from, old_from) = (new_from + 1, old_from + 1);
        }
        while new_from < new_end && old_from < old_end && same(new_end - 1, old_end - 1) {
            (new_end, old_end) = (new_end - 1, old_end - 1);
            put(&mut matched, new_end, old_end);
        }
        put(&mut matched, new_to, old_to);
        (new_from, old_from) = (new_to + 1, old_to + 1);
    }
    matched
}

fn put(matched: &mut [Option<usize>], at: usize, old: usize) {
    if let Some(place) = matched.get_mut(at) {
        *place = Some(old);
    }
}

/// The longest run of pairs in which the second parts rise as the first ones do.
pub(crate) fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]`: the pair that ends the best run of length n + 1.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    let second = |at: usize| pairs.get(at).map_or(0, |pair| pair.1);
    for at in 0..pairs.len() {
        let length = ends.partition_point(|end| second(*end) < second(at));
        if let Some(place) = before.get_mut(at) {
            *place = length.checked_sub(1).and_then(|length| ends.get(length).copied());
        }
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(now) = at {
        run.extend(pairs.get(now).copied());
        at = before.get(now).copied().flatten();
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::align;

    fn aligned(old: &str, new: &str) -> Vec<Option<usize>> {
        let items = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        align(&items(old), &items(new))
    }

    #[test]
    fn equal_lists_match_as_they_stand() {
        assert_eq!(aligned("abab", "abab"), [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(aligned("", ""), []);
        assert_eq!(aligned("", "a"), [None]);
    }

    #[test]
    fn insertions_changes_and_losses_are_found() {
        assert_eq!(aligned("abc", "abxc"), [Some(0), Some(1), None, Some(2)]);
        assert_eq!(aligned("abc", "ac"), [Some(0), Some(2)]);
        assert_eq!(aligned("aabaa", "aaxaa"), [Some(0), Some(1), None, Some(3), Some(4)]);
        assert_eq!(aligned("abcd", "dabc"), [None, Some(0), Some(1), Some(2)]);
        assert_eq!(aligned("abc", "abcx"), [Some(0), Some(1), Some(2), None]);
    }

    #[test]
    fn matches_rise() {
        let matches: Vec<_> = aligned("qwertyuiopqwe", "ewqyuqweiop").into_iter().flatten().collect();
        assert!(matches.is_sorted_by(|a, b| a < b));
    }
}
