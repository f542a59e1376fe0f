//! The peer of EGraphBench in egglog.
//!
//! `egglog-peer math PROGRAM ITERATIONS` runs a program, which has the rules and
//! terms, and then that many iterations of them. `egglog-peer chain N` saturates
//! a chain of N products under associativity. Printed are the nodes in the end,
//! the seconds, and the process's memory in kilobytes: what it had before
//! (`idle`), what it has in the end, and the most it had.

use egglog::{CommandOutput, EGraph};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn kilobytes(name: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or("0").to_string()
}

fn chain(count: usize) -> String {
    let mut term = "(M 0)".to_string();
    for i in 1..count {
        term = format!("(Mul (M {i}) {term})");
    }
    format!(
        "(datatype T (M i64) (Mul T T))\n\
         (rewrite (Mul a (Mul b c)) (Mul (Mul a b) c))\n\
         (rewrite (Mul (Mul a b) c) (Mul a (Mul b c)))\n{term}"
    )
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (program, schedule) = match arguments[1].as_str() {
        "chain" => (
            chain(arguments[2].parse().expect("a number")),
            "(run-schedule (saturate (run)))".to_string(),
        ),
        _ => (
            std::fs::read_to_string(&arguments[2]).expect("a program"),
            format!("(run {})", arguments[3]),
        ),
    };
    let mut egraph = EGraph::default();
    egraph.set_num_threads(1);
    let idle = kilobytes("VmRSS");
    egraph.parse_and_run_program(None, &program).expect("rules and terms");
    let started = Instant::now();
    egraph.parse_and_run_program(None, &schedule).expect("a run");
    let seconds = started.elapsed().as_secs_f64();
    let resident = kilobytes("VmRSS");
    let sizes = egraph.parse_and_run_program(None, "(print-size)").expect("sizes");
    let mut nodes = 0;
    for output in sizes {
        if let CommandOutput::PrintAllFunctionsSize(functions) = output {
            nodes += functions.iter().map(|(_, size)| size).sum::<usize>();
        }
    }
    println!("end {nodes}");
    println!("seconds {seconds}");
    println!("idle {idle}");
    println!("resident {resident}");
    println!("peak {}", kilobytes("VmHWM"));
}
