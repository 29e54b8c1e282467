use super::*;

fn mutant(source: &str, number: u32, genre: &str, what: &str, replacement: &str) -> Mutant {
    let at = source.find(what).expect("it is there");
    let place = |at: usize| {
        let before = &source[..at];
        let line = before.matches('\n').count() + 1;
        let column = before
            .chars()
            .rev()
            .take_while(|&letter| letter != '\n')
            .count()
            + 1;
        Place { line, column }
    };
    Mutant {
        number,
        genre: genre.to_owned(),
        replacement: replacement.to_owned(),
        start: place(at),
        end: place(at + what.len()),
    }
}

/// The text with these mutants behind switches, without the marking comments.
fn switched(source: &str, mutants: &[Mutant]) -> String {
    let done = switch(source, mutants).expect("it is Rust");
    assert_eq!(done.switched.len(), mutants.len(), "{}", done.text);
    syn::parse_file(&done.text).expect("it is Rust still");
    assert_eq!(
        done.text.lines().count(),
        source.lines().count(),
        "lines stay where they are"
    );
    let mut text = String::new();
    let mut rest = done.text.as_str();
    while let Some((before, after)) = rest.split_once("/*") {
        text += before;
        rest = after.split_once("*/").expect("it ends").1;
    }
    (text + rest).replace("crate::__switches::", "")
}

#[test]
fn an_operators_operands_are_evaluated_once() {
    let source = "fn f(a: u8, b: u8) -> bool { a + b < 3 }";
    let mutants = [
        mutant(source, 1, "BinaryOperator", "+", "-"),
        mutant(source, 2, "BinaryOperator", "+", "*"),
        mutant(source, 3, "BinaryOperator", "<", "<="),
    ];
    assert_eq!(
        switched(source, &mutants),
        "fn f(a: u8, b: u8) -> bool { (match (&(({ let (__l, __r) = ((a) , (b)); if on(1) { __l - __r } \
         else if on(2) { __l * __r } else { __l + __r } })) , &(3)) { (__l, __r) => if on(3) { *__l <= *__r } \
         else { *__l < *__r } }) }"
    );
}

#[test]
fn conditions_stay_lazy_and_chains_with_a_pattern_stay() {
    let source = "fn f(a: bool) -> bool { a && g() }";
    let and = mutant(source, 7, "BinaryOperator", "&&", "||");
    assert_eq!(
        switched(source, &[and]),
        "fn f(a: bool) -> bool { ({ let __l = a ; if __l != on(7) { g()} else { __l } }) }"
    );
    let source = "fn f(a: Option<u8>) { if let Some(_) = a && g() { h() } }";
    let and = mutant(source, 7, "BinaryOperator", "&&", "||");
    let done = switch(source, &[and]).expect("it is Rust");
    assert_eq!((done.text.as_str(), done.switched.len()), (source, 0));
    assert!(done.impossible.contains(&7), "it is not a program");
}

#[test]
fn the_innermost_function_gives_something_else() {
    let source = "fn f() -> u8 { const fn g() -> u8 { 5 } g() }";
    let mutants = [
        mutant(source, 1, "FnValue", "5", "0"),
        mutant(source, 2, "FnValue", "const fn g() -> u8 { 5 } g()", "1"),
    ];
    assert_eq!(
        switched(source, &mutants),
        "fn f() -> u8 {if on(2) { return 1; } const fn g() -> u8 {if on(1) { return 0; } 5 } g() }"
    );
    let done = switch(source, &mutants).expect("it is Rust");
    assert_eq!(done.constant, BTreeSet::from([1]));
}

#[test]
fn a_switched_iterator_function_returns_either() {
    let source = "fn f() -> impl Iterator<Item = u8> + 'static { g() }";
    let mutants = [
        mutant(source, 1, "FnValue", "g()", "empty()"),
        mutant(source, 2, "FnValue", "g()", "once(1)"),
    ];
    assert_eq!(
        switched(source, &mutants),
        "fn f() -> impl Iterator<Item = u8> + 'static {\
         if on(1) { Either(Some(empty()), None) } else { Either(None, Some({\
         if on(2) { Either(Some(once(1)), None) } else { Either(None, Some({ g() })) }})) }}"
    );
    for source in [
        "fn f() -> impl DoubleEndedIterator<Item = u8> { g() }",
        "fn f() -> impl Iterator<Item = u8> + Clone { g() }",
        "fn f() -> Option<impl Iterator<Item = u8>> { g() }",
    ] {
        let done = switch(source, &[mutant(source, 1, "FnValue", "g()", "h()")]);
        assert_eq!(done.expect("it is Rust").text, source);
    }
}

#[test]
fn arms_guards_fields_signs_and_assignments_are_switched() {
    let source = "fn f(a: &mut u8) -> S { match *a { 1 => x(), 2 if g() => y(), _ => {} } *a +=\n 1; S { k: !m(), ..d() } }";
    let mutants = [
        mutant(source, 1, "MatchArm", "1 => x(),", ""),
        mutant(source, 2, "MatchArm", "2 if g() => y(),", ""),
        mutant(source, 3, "MatchArmGuard", "g()", "true"),
        mutant(source, 4, "MatchArmGuard", "g()", "false"),
        mutant(source, 5, "BinaryOperator", "+=", "-="),
        mutant(source, 6, "StructField", "k: !m()", ""),
        mutant(source, 7, "UnaryOperator", "!m", ""),
    ];
    assert_eq!(
        switched(source, &mutants),
        "fn f(a: &mut u8) -> S { match *a { 1 if !on(1) => x(), 2 if !on(2) && (on(3) || !on(4) && (g())) => y(), \
         _ => {} } ({ let __r = \n1; if on(5) { *a -= __r } else { *a += __r } }); \
         S { k: if on(6) { (d()).k } else { ({ let __x = m(); if on(7) { __x } else { !__x } }) }, ..d() } }"
    );
}

#[test]
fn mutants_in_constants_are_reported() {
    let source = "const A: u8 = 1 + 2; fn f() -> u8 { const B: u8 = 3 - 4; 5 * 6 }";
    let mutants = [
        mutant(source, 1, "BinaryOperator", "+", "-"),
        mutant(source, 2, "BinaryOperator", "-", "+"),
        mutant(source, 3, "BinaryOperator", "*", "+"),
    ];
    // The second operator of the text is part of an arrow.
    let mut mutants = mutants.to_vec();
    mutants[1].start.column = source.find("- 4").expect("it is there") + 1;
    mutants[1].end.column = mutants[1].start.column + 1;
    let done = switch(source, &mutants).expect("it is Rust");
    assert_eq!(done.switched, BTreeSet::from([1, 2, 3]));
    assert_eq!(done.constant, BTreeSet::from([1, 2]));
}
