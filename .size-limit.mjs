/** The budgets of the first page anybody sees, as it travels (gzip). */
import { loginRouteFiles } from './tools/web-route.ts'

const { js, css } = loginRouteFiles(process.cwd())

export default [
  { name: 'sign-in page: JavaScript', path: js, limit: '130 kB', gzip: true },
  { name: 'sign-in page: styles', path: css, limit: '25 kB', gzip: true },
]
