import 'i18next'
import type consoleDeposits from '../console/deposits/locales/es.json'
import type consoleOverview from '../console/overview/locales/es.json'
import type consolePayoutRuns from '../console/payout-runs/locales/es.json'
import type consolePlan from '../console/plan/locales/es.json'
import type consoleReserves from '../console/reserves/locales/es.json'
import type consoleReversals from '../console/reversals/locales/es.json'
import type consoleShared from '../console/shared/locales/es.json'
import type consoleSupport from '../console/support/locales/es.json'
import type consoleWithdrawals from '../console/withdrawals/locales/es.json'
import type appearance from '../features/appearance/locales/es.json'
import type dashboard from '../features/dashboard/locales/es.json'
import type demo from '../features/demo/locales/es.json'
import type earnings from '../features/earnings/locales/es.json'
import type genealogyReferrals from '../features/genealogy/referrals/locales/es.json'
import type genealogyTree from '../features/genealogy/tree/locales/es.json'
import type identity from '../features/identity/locales/es.json'
import type identityProfile from '../features/identity/profile/locales/es.json'
import type identitySecurity from '../features/identity/security/locales/es.json'
import type investments from '../features/investments/locales/es.json'
import type reserves from '../features/reserves/locales/es.json'
import type support from '../features/support/locales/es.json'
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
      appearance: typeof appearance
      dashboard: typeof dashboard
      demo: typeof demo
      earnings: typeof earnings
      'genealogy/referrals': typeof genealogyReferrals
      'genealogy/tree': typeof genealogyTree
      identity: typeof identity
      'identity/profile': typeof identityProfile
      'identity/security': typeof identitySecurity
      investments: typeof investments
      reserves: typeof reserves
      support: typeof support
      withdrawals: typeof withdrawals
      'console/deposits': typeof consoleDeposits
      'console/overview': typeof consoleOverview
      'console/payout-runs': typeof consolePayoutRuns
      'console/plan': typeof consolePlan
      'console/reserves': typeof consoleReserves
      'console/reversals': typeof consoleReversals
      'console/shared': typeof consoleShared
      'console/support': typeof consoleSupport
      'console/withdrawals': typeof consoleWithdrawals
    }
  }
}
