/**
 * No circle of folders: two folders that need each other are one room or three. Type-only and lazy imports count. Tests are left
 * out, because a test may use any fixture.
 */
const { options } = require('./.dependency-cruiser.cjs')

module.exports = {
  forbidden: [
    {
      name: 'no-folder-circles',
      comment: 'Two folders that need each other are one room or three.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    exclude: { path: '(^|/)dist/|\\.test\\.tsx?$|\\.e2e\\.ts$|/testing/|/testing\\.ts$' },
  },
}
