// A library that needs a symbol which nobody has.
extern "C" int burin_symbol_that_nobody_has();

extern "C" int burin_needs_it() { return burin_symbol_that_nobody_has(); }
