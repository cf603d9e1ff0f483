import 'fast-glob'
