/** Everything the API serves. */

import { auditOperatorRoutes } from './features/audit/audit.operator.routes.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { decisionsOperatorRoutes } from './features/decisions/decisions.operator.routes.ts'
import { codesPages, demoRoutes } from './features/demo/demo.routes.ts'
import { depositsOperatorRoutes } from './features/deposits/deposits.operator.routes.ts'
import { earningsRoutes } from './features/earnings/earnings.routes.ts'
import { eventsRoutes } from './features/events/events.routes.ts'
import { genealogyRoutes } from './features/genealogy/genealogy.routes.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { contactCorrectionOperatorRoutes } from './features/identity/contact-correction/contact-correction.operator.routes.ts'
import { stopRelease } from './features/identity/factor-release/factor-release.commands.ts'
import { factorReleaseOperatorRoutes } from './features/identity/factor-release/factor-release.operator.routes.ts'
import { memberActsOperatorRoutes } from './features/identity/member-acts/member-acts.operator.routes.ts'
import { memberKeyRoutes } from './features/identity/member-key/member-key.routes.ts'
import { notMeRoutes } from './features/identity/not-me/not-me.routes.ts'
import { invitationRoutes } from './features/identity/operators/invitation.routes.ts'
import { operatorsOperatorRoutes } from './features/identity/operators/operators.operator.routes.ts'
import { passkeysRoutes } from './features/identity/passkeys/passkeys.routes.ts'
import { passwordsRoutes } from './features/identity/passwords/passwords.routes.ts'
import { privacyRoutes } from './features/identity/privacy/privacy.routes.ts'
import { profileRoutes } from './features/identity/profile/profile.routes.ts'
import { registrationRoutes } from './features/identity/registration/registration.routes.ts'
import { confirmDecision } from './features/identity/second-factor/second-factor.commands.ts'
import { secondFactorRoutes } from './features/identity/second-factor/second-factor.routes.ts'
import {
  securityLogMetrics,
  securityLogRoutes,
} from './features/identity/security-log/security-log.routes.ts'
import { sessionsRoutes } from './features/identity/sessions/sessions.routes.ts'
import { signInRoutes } from './features/identity/sign-in/sign-in.routes.ts'
import { viewsOperatorRoutes } from './features/identity/views/views.operator.routes.ts'
import { investmentsRoutes } from './features/investments/investments.routes.ts'
import { jobsMetrics } from './features/jobs/jobs.routes.ts'
import { logShippingMetrics } from './features/log-shipping/log-shipping.routes.ts'
import { codeMailRoutes } from './features/mail/code-mail.routes.ts'
import { mailPages, mailRoutes } from './features/mail/mail.routes.ts'
import { resendingOperatorRoutes } from './features/mail/resending.operator.routes.ts'
import { memberFileOperatorRoutes } from './features/members/file.operator.routes.ts'
import { membersOperatorRoutes } from './features/members/members.operator.routes.ts'
import { treesOperatorRoutes } from './features/members/trees.operator.routes.ts'
import { notificationsOperatorRoutes } from './features/notifications/notifications.operator.routes.ts'
import { todayOperatorRoutes } from './features/overview/today.operator.routes.ts'
import { runItemsOperatorRoutes } from './features/payout-runs/items/items.operator.routes.ts'
import { payoutRunsOperatorRoutes } from './features/payout-runs/payout-runs.operator.routes.ts'
import { previewsOperatorRoutes } from './features/payout-runs/previews/previews.operator.routes.ts'
import { ratesOperatorRoutes } from './features/payout-runs/rates/rates.operator.routes.ts'
import { replaysOperatorRoutes } from './features/payout-runs/replay/replays.operator.routes.ts'
import { reversalsOperatorRoutes } from './features/payout-runs/reversals/reversals.operator.routes.ts'
import { planVersionsOperatorRoutes } from './features/plan-versions/plan-versions.operator.routes.ts'
import { reservesMetrics, reservesRoutes } from './features/reserves/reserves.routes.ts'
import { supportOperatorRoutes } from './features/support/support.operator.routes.ts'
import { supportRoutes } from './features/support/support.routes.ts'
import { supportTemplatesOperatorRoutes } from './features/support/templates.operator.routes.ts'
import { treasuryOperatorRoutes } from './features/treasury/treasury.operator.routes.ts'
import { cancelRequested } from './features/withdrawals/decide.commands.ts'
import { withdrawalsRoutes } from './features/withdrawals/withdrawals.routes.ts'
import type { FeatureRoutes } from './http/api.ts'
import type { Parts } from './http/server.ts'

export const features: readonly FeatureRoutes[] = [
  healthRoutes,
  registrationRoutes,
  signInRoutes,
  sessionsRoutes,
  profileRoutes,
  passwordsRoutes,
  secondFactorRoutes,
  passkeysRoutes,
  memberKeyRoutes,
  securityLogRoutes,
  securityLogMetrics,
  notMeRoutes([cancelRequested, stopRelease]),
  genealogyRoutes,
  dashboardRoutes,
  eventsRoutes,
  investmentsRoutes,
  earningsRoutes,
  operatorsOperatorRoutes,
  invitationRoutes,
  auditOperatorRoutes,
  notificationsOperatorRoutes,
  memberActsOperatorRoutes,
  viewsOperatorRoutes,
  factorReleaseOperatorRoutes,
  contactCorrectionOperatorRoutes,
  resendingOperatorRoutes,
  membersOperatorRoutes,
  memberFileOperatorRoutes,
  treesOperatorRoutes,
  todayOperatorRoutes,
  treasuryOperatorRoutes,
  depositsOperatorRoutes,
  decisionsOperatorRoutes,
  payoutRunsOperatorRoutes,
  runItemsOperatorRoutes,
  replaysOperatorRoutes,
  previewsOperatorRoutes,
  ratesOperatorRoutes,
  planVersionsOperatorRoutes,
  reversalsOperatorRoutes,
  withdrawalsRoutes,
  mailRoutes,
  codeMailRoutes,
  reservesRoutes,
  reservesMetrics,
  jobsMetrics,
  logShippingMetrics,
  supportRoutes,
  supportOperatorRoutes,
  supportTemplatesOperatorRoutes,
  privacyRoutes,
  demoRoutes,
]

/** What the HTTP layer is given besides, since it knows no feature. */
export const parts: Parts = { confirmDecision, pages: [mailPages, codesPages] }
