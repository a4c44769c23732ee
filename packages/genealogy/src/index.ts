/** The two trees of members: who introduced whom, who stands where, and how they are drawn. */
export * from './layout.ts'
export * from './layout-visible.ts'
export * from './numbering.ts'
export * from './placement.ts'
export * from './sweep.ts'
