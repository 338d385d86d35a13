use super::*;

/// The parts that the format's description lists, comments over several lines among them.
const WHOLE: &str = r#"VERSION "HNPBNNNYNNNNNNNNNNNNNNNNNNNNNNNNYYYYYYYY>4>%%%/4>'%**4NNN///"

NS_ :
	NS_DESC_
	CM_
	BA_DEF_
	VAL_
	SG_MUL_VAL_

BS_:

BU_: Engine Gateway
VAL_TABLE_ OnOff 1 "on" 0 "off" ;

BO_ 100 Engine: 8 Engine
 SG_ Speed : 7|16@0+ (0.125,0) [0|8031.875] "rpm" Gateway,Vector__XXX
 SG_ Temperature : 16|8@1- (1,-40) [-40|215] "degC"  Gateway

BO_ 2364540158 Steering: 8 Vector__XXX
 SG_ Page M : 0|4@1+ (1,0) [0|0] "" Vector__XXX
 SG_ Angle m0 : 8|32@1- (1,0) [0|0] "rad" Vector__XXX
 SG_ Torque m1 : 8|32@1- (1.5E-3,-1e2) [0|0] "Nm" Vector__XXX

CM_ SG_ 100 Speed "A comment; with a semicolon,
over two lines, with \"quotation marks\".";
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_ "GenMsgCycleTime" BO_ 100 10;
VAL_ 100 Temperature 255 "not available" ;
SIG_VALTYPE_ 2364540158 Angle : 1;
"#;

#[test]
fn a_whole_database_is_read() {
    let database = Database::read(WHOLE.as_bytes()).expect("a database");
    assert_eq!(database.messages.len(), 2);
    let (engine, speed) = database.find("Speed").expect("a signal");
    assert_eq!((engine.id, engine.extended, engine.length_bytes), (100, false, 8));
    let speed = &engine.signals[speed];
    assert_eq!(speed.place, Place { start_bit: 7, length_bits: 16, order: ByteOrder::Motorola });
    assert_eq!((speed.factor, speed.offset, speed.range, speed.line), (0.125, 0.0, Some((0.0, 8031.875)), 16));
    let (steering, torque) = database.find("Steering.Torque").expect("a signal");
    assert_eq!((steering.id, steering.extended), (0x0CF0_04FE, true));
    let torque = &steering.signals[torque];
    assert_eq!((torque.factor, torque.offset, torque.range), (1.5e-3, -100.0, None));
    assert_eq!(torque.presence, Presence::When { selector: 0, ranges: vec![(1, 1)] });
    assert_eq!(steering.signals[1].representation, Representation::Single);
}

#[test]
fn latin_letters_and_windows_lines_are_read() {
    let bytes = b"BO_ 1 A: 1 X\r\n SG_ B : 0|8@1+ (1,0) [0|0] \"\xb0C\" X\r\n";
    let database = Database::read(bytes).expect("a database");
    assert_eq!(database.messages[0].signals[0].unit, "°C");
}

#[test]
fn a_name_in_two_messages_needs_the_message() {
    let text = "BO_ 1 A: 1 X\n SG_ S : 0|8@1+ (1,0) [0|0] \"\" X\nBO_ 2 B: 1 X\n SG_ S : 0|8@1+ (1,0) [0|0] \"\" X\n";
    let database = Database::read(text.as_bytes()).expect("a database");
    assert_eq!(database.find("S").expect_err("two"), "S is in several messages: write A.S or B.S");
    assert_eq!(database.find("B.S").expect("one").0.name, "B");
    assert_eq!(database.find("T").expect_err("none"), "there is no signal T; it has the messages A, B");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let signal = |signal: &str| format!("BO_ 1 A: 8 X\n\n SG_ {signal}\n");
    let cases = [
        (signal("B : 0|0@1+ (1,0) [0|0] \"\" X"), 3, "B has 0 bits; 1 to 64 are possible"),
        (signal("B : 0|65@1+ (1,0) [0|0] \"\" X"), 3, "B has 65 bits"),
        (signal("B : 60|8@1+ (1,0) [0|0] \"\" X"), 3, "B reaches into byte 8, but message A has 8 bytes"),
        (signal("B : 56|2@0+ (1,0) [0|0] \"\" X"), 3, "B reaches into byte 8"),
        (signal("B : 0|8@1+ (0,0) [0|0] \"\" X"), 3, "the factor of B is zero"),
        (signal("B : 0|8@1* (1,0) [0|0] \"\" X"), 3, "the character '*' has no place here"),
        (signal("B : 0|8@1 (1,0) [0|0] \"\" X"), 3, "expected + (unsigned) or - (signed) of B, found ("),
        (signal("B m : 0|8@1+ (1,0) [0|0] \"\" X"), 3, "expected M, m0 or m0M after B, found m"),
        (signal("B m1 : 0|8@1+ (1,0) [0|0] \"\" X"), 3, "needs one selector (M)"),
        (signal("B : 0|8@1+ (one,0) [0|0] \"\" X"), 3, "expected factor and offset, found one"),
        (signal("B : 0|8@1+ (1,0) [0|0] \"X"), 3, "no closing quotation mark"),
        (signal("B : 0|8@1+ (1,0) [0|0]"), 3, "expected the unit of B in quotation marks, found the end of the file"),
        ("BO_ 5000 A: 8 X".to_owned(), 1, "the greatest is 2047"),
        ("BO_ 1 A: 65 X".to_owned(), 1, "has 65 bytes, the most is 64"),
        ("BO_ 1 A: 8 X\nBO_ 1 B: 8 X".to_owned(), 2, "was declared before, as A (1)"),
        ("\n SG_ B : 0|8@1+ (1,0) [0|0] \"\" X".to_owned(), 2, "stands before the first message"),
        ("\n\nXYZ_ 5;".to_owned(), 3, "unknown statement XYZ_"),
        ("CM_ \"no end\"".to_owned(), 1, "has no semicolon at its end"),
        ("SG_MUL_VAL_ 7 A B 0-1;".to_owned(), 1, "there is no message with the identifier 7"),
    ];
    for (text, line, problem) in cases {
        let error = Database::read(text.as_bytes()).expect_err(&text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.problem.contains(problem), "{text}: {error}");
    }
}

#[test]
fn selectors_in_a_circle_are_refused() {
    let text = "BO_ 1 A: 8 X\n SG_ P m0M : 0|4@1+ (1,0) [0|0] \"\" X\n SG_ Q m0M : 4|4@1+ (1,0) [0|0] \"\" X\n\
        SG_MUL_VAL_ 1 P Q 0-0;\nSG_MUL_VAL_ 1 Q P 0-0;\n";
    let error = Database::read(text.as_bytes()).expect_err("a circle");
    assert_eq!(error.to_string(), "line 2: P is selected by itself");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "[ -~\n]{0,200}", cut in 0_usize..1200, bytes in proptest::collection::vec(0_u8.., 0..50)) {
        let _ = Database::read(text.as_bytes());
        let _ = Database::read(&bytes);
        // The whole one, cut anywhere and with something else from there on.
        let cut = WHOLE.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(0);
        let _ = Database::read(format!("{}{text}", &WHOLE[..cut]).as_bytes());
    }
}
