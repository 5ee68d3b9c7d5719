import fc from "fast-check";

// One case that fails tells that a fault was noticed: none is looked for that is smaller. Three seconds are enough for a law, and
// for one case of it on a busy computer.
fc.configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 3000 });
