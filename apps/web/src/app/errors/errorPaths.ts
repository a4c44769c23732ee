/** The addresses of the error pages, of which the contract fixes the misspelt one. */
export const ERROR_PATHS = {
  serverError: '/error-pages/server-error',
  notAuthorized: '/error-pages/not-authorized',
  comingSoon: '/error-pages/comming-soon',
  maintenance: '/error-pages/under-maintenance',
} as const

export type ErrorPageName = keyof typeof ERROR_PATHS

export const ERROR_PAGES = Object.keys(ERROR_PATHS) as ErrorPageName[]
