/** The budgets of the first page anybody sees and of the first one behind the sign-in, as they travel (gzip). */
import { filesOfPage } from './tools/web-route.ts'

const login = filesOfPage(process.cwd(), '/auth/login')
const dashboard = filesOfPage(process.cwd(), '/dashboard')

export default [
  { name: 'sign-in page: JavaScript', path: login.js, limit: '130 kB', gzip: true },
  { name: 'sign-in page: styles', path: login.css, limit: '25 kB', gzip: true },
  { name: 'dashboard: JavaScript', path: dashboard.js, limit: '150 kB', gzip: true },
  { name: 'dashboard: styles', path: dashboard.css, limit: '25 kB', gzip: true },
]
