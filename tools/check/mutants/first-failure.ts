import fc from "fast-check";

// One case that fails tells that a fault was noticed: none is looked for that is smaller. A second is enough for a law.
fc.configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 1000 });
