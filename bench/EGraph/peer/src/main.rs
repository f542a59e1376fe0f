//! The peer of EGraphBench: the same rules and terms in egg.
//!
//! `egraph-peer math RULES ITERATIONS` saturates the terms of a rules file and
//! prints a line of nodes for each iteration, then seconds and the peak of the
//! process's memory. `egraph-peer chain N` saturates a chain of N products under
//! associativity.

use egg::{define_language, Id, Pattern, RecExpr, Rewrite, Runner, SimpleScheduler, Symbol};
use std::time::{Duration, Instant};

define_language! {
    enum Term {
        "+" = Add([Id; 2]),
        "-" = Sub([Id; 2]),
        "*" = Mul([Id; 2]),
        "/" = Div([Id; 2]),
        "pow" = Pow([Id; 2]),
        "d" = Derivative([Id; 2]),
        "i" = Integral([Id; 2]),
        "ln" = Ln(Id),
        "sqrt" = Sqrt(Id),
        "sin" = Sin(Id),
        "cos" = Cos(Id),
        Number(i64),
        Name(Symbol),
    }
}

fn rule(name: &str, equation: &str) -> Rewrite<Term, ()> {
    let (from, to) = equation.split_once("=>").expect("a rule has an arrow");
    let from: Pattern<Term> = from.trim().parse().expect("a pattern");
    let to: Pattern<Term> = to.trim().parse().expect("a pattern");
    Rewrite::new(name, from, to).expect("variables of the right are on the left")
}

fn peak_in_kilobytes() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or("0").to_string()
}

fn run(terms: &[RecExpr<Term>], rules: &[Rewrite<Term, ()>], iterations: usize) {
    // Nothing has grown yet.
    let idle = peak_in_kilobytes();
    let mut runner = Runner::default()
        .with_scheduler(SimpleScheduler)
        .with_iter_limit(iterations)
        .with_node_limit(usize::MAX)
        .with_time_limit(Duration::from_secs(1000));
    for term in terms {
        runner = runner.with_expr(term);
    }
    let started = Instant::now();
    let runner = runner.run(rules);
    let seconds = started.elapsed().as_secs_f64();
    for iteration in &runner.iterations {
        println!("nodes {}", iteration.egraph_nodes);
    }
    println!("end {}", runner.egraph.total_number_of_nodes());
    println!("classes {}", runner.egraph.number_of_classes());
    println!("seconds {seconds}");
    println!("idle {idle}");
    println!("peak {}", peak_in_kilobytes());
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let mut rules = Vec::new();
    let mut terms = Vec::new();
    if arguments[1] == "chain" {
        let count: usize = arguments[2].parse().expect("a number");
        let mut chain = "m0".to_string();
        for i in 1..count {
            chain = format!("(* m{i} {chain})");
        }
        terms.push(chain.parse().expect("a term"));
        rules.push(rule("right", "(* ?a (* ?b ?c)) => (* (* ?a ?b) ?c)"));
        rules.push(rule("left", "(* (* ?a ?b) ?c) => (* ?a (* ?b ?c))"));
        run(&terms, &rules, 1000);
        return;
    }
    let text = std::fs::read_to_string(&arguments[2]).expect("a rules file");
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("rule ") {
            let (name, equation) = rest.split_once(' ').expect("a name");
            rules.push(rule(name, equation));
        } else if let Some(term) = line.strip_prefix("term ") {
            terms.push(term.parse().expect("a term"));
        }
    }
    run(&terms, &rules, arguments[3].parse().expect("a number"));
}
