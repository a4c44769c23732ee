import 'i18next'
import type auth from '../features/auth/locales/es.json'
import type dashboard from '../features/dashboard/locales/es.json'
import type demo from '../features/demo/locales/es.json'
import type investments from '../features/investments/locales/es.json'
import type operator from '../features/operator/locales/es.json'
import type payments from '../features/payments/locales/es.json'
import type profile from '../features/profile/locales/es.json'
import type referrals from '../features/referrals/locales/es.json'
import type reserves from '../features/reserves/locales/es.json'
import type security from '../features/security/locales/es.json'
import type settings from '../features/settings/locales/es.json'
import type support from '../features/support/locales/es.json'
import type tree from '../features/tree/locales/es.json'
import type withdrawals from '../features/withdrawals/locales/es.json'
import type ui from '../ui/locales/es.json'
import type app from './locales/es.json'

/** Every text by its key: a missing or misspelt one does not compile. Spanish is the measure; a test holds English to it. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: {
      app: typeof app
      ui: typeof ui
      auth: typeof auth
      dashboard: typeof dashboard
      demo: typeof demo
      investments: typeof investments
      operator: typeof operator
      payments: typeof payments
      profile: typeof profile
      referrals: typeof referrals
      reserves: typeof reserves
      settings: typeof settings
      security: typeof security
      support: typeof support
      tree: typeof tree
      withdrawals: typeof withdrawals
    }
  }
}
