/** The addresses of the error pages, one of them spelled as it always was. */
export const ERROR_PAGES = [
  { path: '/error-pages/server-error', name: 'serverError' },
  { path: '/error-pages/not-authorized', name: 'notAuthorized' },
  { path: '/error-pages/comming-soon', name: 'comingSoon' },
  { path: '/error-pages/under-maintenance', name: 'maintenance' },
] as const

export type ErrorPageName = (typeof ERROR_PAGES)[number]['name']
