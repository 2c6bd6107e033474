// A library that is no plugin.
extern "C" int burin_is_no_plugin() { return 0; }
