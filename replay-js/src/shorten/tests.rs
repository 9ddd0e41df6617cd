//! What each construct of our modules becomes.

use super::shorten;

#[track_caller]
fn check(script: &str, expected: &str) {
    assert_eq!(shorten(script).trim_end(), expected);
}

#[test]
fn spaces_and_lines_go_where_nothing_needs_them() {
    check(
        "if (this.x === 1) {\n  this.y += +2;\n}\nthis.z();",
        "if(this.x===1)this.y+=+2;this.z();",
    );
    check("this.x = 1 + +this.y - -2;", "this.x=1+ +this.y- -2;");
}

#[test]
fn a_line_that_stands_for_a_semicolon_stays() {
    check(
        "this.x = () => {\n  this.y();\n}\nthis.z();",
        "this.x=()=>{this.y()}\nthis.z();",
    );
    check(
        "this.x = {\n  y: 1,\n}\nthis.z()\nthis.y();",
        "this.x={y:1}\nthis.z()\nthis.y();",
    );
}

#[test]
fn a_semicolon_that_is_a_body_stays() {
    check("{\n  while (this.x());\n}", "{while(this.x());}");
}

#[test]
fn scopes_beside_each_other_use_the_same_names() {
    check(
        "this.x((first) => first.y);\nthis.x((second, third) => {\n  const fourth = second;\n  return fourth + third;\n});",
        "this.x(a=>a.y);this.x((a,b)=>{let c=a;return c+b});",
    );
}

#[test]
fn an_inner_variable_hides_an_outer_one_only_where_that_is_not_used() {
    check(
        "this.x((outer) => {\n  this.y((inner) => inner);\n  this.y((inner) => inner + outer);\n});",
        "this.x(a=>{this.y(a=>a);this.y(b=>b+a)});",
    );
}

#[test]
fn a_variable_and_a_parameter_of_one_function_differ() {
    check("this.x((unused) => {\n  const own = 1;\n});", "this.x(a=>{let b=1});");
    check(
        "try {\n  this.x();\n} catch (unused) {\n  const own = 1;\n}",
        "try{this.x()}catch(a){let b=1}",
    );
}

#[test]
fn outermost_names_leave_the_first_letters_to_parameters() {
    check(
        "function once() {}\nconst often = once;\noften(often);",
        "function j(){}let i=j;i(i);",
    );
}

#[test]
fn names_from_outside_and_entries_are_kept() {
    check(
        "function startRecorder(global) {\n  return parseFloat(global.Date);\n}",
        "function startRecorder(a){return parseFloat(a.Date)}",
    );
    check("this.x((only) => a + only);", "this.x(b=>a+b);");
}

#[test]
fn keys_and_methods_keep_their_names_and_shorthands_get_a_key() {
    check(
        "this.x((two) => ({ two, three: two, four(five) { return five; }, get six() { return two; } }));",
        "this.x(a=>({two:a,three:a,four(a){return a},get six(){return a}}));",
    );
    check(
        "this.x(({ one, two: three, ...rest }, [four = one]) => one + three + four + rest.one);",
        "this.x(({one:a,two:b,...c},[d=a])=>a+b+d+c.one);",
    );
}

#[test]
fn several_variables_in_one_declaration_are_no_shorthands() {
    check(
        "this.x(() => {\n  let one, two = 1, three;\n  return one + two + three;\n});",
        "this.x(()=>{let a,b=1,c;return a+b+c});",
    );
}

#[test]
fn loops_are_scopes_of_their_own() {
    check(
        "this.x((list, at) => {\n  for (let at = 0; at < 2; at += 1) list(at);\n  for (const one of list) {\n    list(one);\n  }\n  return at;\n});",
        "this.x((a,b)=>{for(let b=0;b<2;b++)a(b);for(let b of a)a(b);return b});",
    );
}

#[test]
fn literals_are_left_alone_and_insertions_are_not() {
    check(
        "this.x(/a b'[/]/g, 'a  b', \"c  // d\", this.y++);",
        "this.x(/a b'[/]/g,'a  b',\"c  // d\",this.y++);",
    );
    check(
        "this.x((one, two) => `one ${one}  ${this.y({ one, two: `${two}` })} two`);",
        "this.x((a,b)=>`one ${a}  ${this.y({one:a,two:`${b}`})} two`);",
    );
}

#[test]
fn words_that_have_a_shorter_form_get_it() {
    check(
        "this.x(true, undefined, this.undefined, { true: 1 });",
        "this.x(!0,void 0,this.undefined,{true:1});",
    );
}

#[test]
fn comments_at_the_end_of_a_line_go() {
    check("this.x(); // `why`\nthis.y();", "this.x();this.y();");
}

#[test]
#[should_panic(expected = "no semicolon before `const`")]
fn a_missing_semicolon_is_refused_where_scopes_would_be_misread() {
    shorten("const f = (a) => a\nconst b = f;");
}

#[test]
fn an_accessor_of_a_computed_name_is_no_variable_of_that_name() {
    check(
        "this.x((get, name) => ({\n  get [name]() {\n    return get;\n  },\n  set [name](value) {\n    value(get[name]);\n  },\n}));",
        "this.x((a,b)=>({get[b](){return a},set[b](c){c(a[b])}}));",
    );
}

#[test]
fn declarations_in_a_row_are_one() {
    check(
        "const one = 1;\nconst { two } = this.x;\nthis.y(one, two);\nconst three = 3;\nthis.y(three);",
        "let i=1,{two:j}=this.x;this.y(i,j);let k=3;this.y(k);",
    );
    check(
        "for (let i = 0; this.x(i);) {\n  const own = i;\n  let other;\n  this.y(own, other);\n}",
        "for(let a=0;this.x(a);){let b=a,c;this.y(b,c)}",
    );
}

#[test]
fn braces_around_one_statement_go_but_not_where_they_keep_something_apart() {
    check(
        "if (this.x) {\n  this.y();\n} else {\n  this.z();\n}\nthis.y();",
        "if(this.x)this.y();else this.z();this.y();",
    );
    check(
        "if (this.x) {\n  if (this.y) {\n    this.z();\n  }\n} else {\n  throw this;\n}",
        "if(this.x){if(this.y)this.z()}else throw this;",
    );
    check(
        "if (this.x) {\n  this.y();\n  this.z();\n}\nwhile (this.x) {\n  const own = 1;\n}",
        "if(this.x){this.y();this.z()}while(this.x){let a=1}",
    );
    check(
        "if (this.x) {\n  this.y(() => {\n    this.z();\n    this.y();\n  }, `a${this.x}b`);\n}\nif (this.x) {\n  return { y: 1 };\n}",
        "if(this.x)this.y(()=>{this.z();this.y()},`a${this.x}b`);if(this.x)return{y:1};",
    );
    check(
        "this.x(() => {\n  if (this.y) {\n    return;\n  }\n});",
        "this.x(()=>{if(this.y)return});",
    );
}

#[test]
fn the_comma_behind_the_last_member_goes_and_an_empty_place_stays() {
    check("this.x([1, ,], [2,], { y: 1, });", "this.x([1,,],[2],{y:1});");
}

#[test]
fn nothing_is_called_as_its_function_where_a_parameter_is_a_pattern() {
    check(
        "this.x = function Thing(...given) {\n  return given;\n};\nthis.y = function Other(one, two) {\n  return one + two;\n};",
        "this.x=function a(...b){return b};this.y=function a(a,b){return a+b};",
    );
    check(
        "{\n  function Thing(first, ...given) {\n    return given;\n  }\n}",
        "{function a(b,...c){return c}}",
    );
    check(
        "this.x = function Thing({ one }) {\n  return one;\n};\nthis.y = function Other(one, two = 1) {\n  return one + two;\n};",
        "this.x=function a({one:b}){return b};this.y=function a(b,c=1){return b+c};",
    );
}

#[test]
fn brackets_around_one_operand_go_and_those_of_calls_and_parameters_stay() {
    check(
        "this.x = (this.y);\nthis.z((one), ({ y: 1 }), [(two)]);\nthis.z((three));",
        "this.x=this.y;this.z(one,{y:1},[two]);this.z(three);",
    );
    check(
        "this.x(({ y }) => y, () => ({}), (one)(), (two).y, !(three));",
        "this.x(({y:a})=>a,()=>({}),(one)(),(two).y,!(three));",
    );
}

#[test]
fn types_are_compared_in_two_characters_and_anything_else_in_three() {
    check(
        "this.x = typeof one === 'string' && typeof one.x.y === 'string' && typeof two !== this.y && one === two / 2;",
        "this.x=typeof one=='string'&&typeof one.x.y=='string'&&typeof two!==this.y&&one===two/2;",
    );
}

#[test]
fn gives_members_of_our_own_short_names() {
    let script = "const codeAt = 1;\nconst own = { isVisited() { return this.codeAt; }, codeAt, b: 1 };";
    check(script, "let i=1,j={aa(){return this.ab},ab:i,b:1};");
}

#[test]
#[should_panic(expected = "isVisited stands in a text")]
fn refuses_a_member_that_could_be_meant_in_a_text() {
    shorten("const a = b['isVisited'] ?? b.isVisited;");
}

#[test]
fn brackets_around_a_whole_operand_go_with_all_that_is_in_them() {
    check(
        "this.x(() => {\n  return (\n    this.y || this.z\n  );\n});",
        "this.x(()=>{return this.y||this.z});",
    );
    check("this.x = (this.y, this.z);", "this.x=(this.y,this.z);");
    check("this.x = (this.y || this.z)();", "this.x=(this.y||this.z)();");
}

#[test]
fn nothing_is_returned_in_fewer_letters() {
    check(
        "this.x(() => {\n  if (this.y) {\n    return undefined;\n  }\n  return undefined ?? this.z;\n});",
        "this.x(()=>{if(this.y)return;return void 0??this.z});",
    );
}

#[test]
fn statements_count_in_fewer_letters_and_values_stay() {
    check(
        "for (let at = 0; at < 9; at += 1) {\n  this.x.y -= 1;\n}",
        "for(let a=0;a<9;a++)this.x.y--;",
    );
    check("this.x(this.y += 1);", "this.x(this.y+=1);");
    check("this.x = this.y += 1;", "this.x=this.y+=1;");
    check("this.x += 10;", "this.x+=10;");
}
