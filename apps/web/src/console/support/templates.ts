/** The calls about ready texts. */
import type { SupportTemplate } from '@aval/contract'
import { client } from '../../api/client.ts'
import { conforms } from '../../api/conforms.ts'
import { isMessage, isOutdated, type Message, operatorQuery } from '../shared/calls.ts'

/** What a template is made of; of an edit with the version that was read. */
export interface TemplateTexts {
  name: string
  text_es: string
  text_en: string
}
interface Saving extends TemplateTexts {
  /** Null for a new one. */
  of: { id: number; version: number } | null
  idempotencyKey: string
}

const templatesApi = client.injectEndpoints({
  endpoints: (build) => ({
    filledTemplates: operatorQuery(
      build,
      'supportFilledTemplates',
      (member: number) => `operator/support/${member}/templates/`,
    ),
    supportTemplates: operatorQuery(build, 'supportTemplates', () => 'operator/support/templates/'),
    templateVersions: operatorQuery(
      build,
      'supportTemplates',
      (template: number) => `operator/support/templates/${template}/`,
    ),
    saveTemplate: build.mutation<SupportTemplate, Saving>({
      query: ({ of, idempotencyKey, ...texts }) => ({
        path: `operator/support/templates/${of === null ? '' : `${of.id}/`}`,
        method: 'POST',
        headers: { 'Idempotency-Key': idempotencyKey },
        body: of === null ? texts : { ...texts, version: of.version },
        fits: conforms((contract) => contract.supportTemplate),
      }),
      invalidatesTags: (template, failure) =>
        template !== undefined || isOutdated(failure) ? ['Operator'] : [],
    }),
    removeTemplate: build.mutation<Message, { id: number; version: number }>({
      query: ({ id, version }) => ({
        path: `operator/support/templates/${id}/remove/`,
        method: 'POST',
        body: { version },
        fits: isMessage(),
      }),
      invalidatesTags: ['Operator'],
    }),
  }),
})

export const {
  useFilledTemplatesQuery,
  useSupportTemplatesQuery,
  useTemplateVersionsQuery,
  useSaveTemplateMutation,
  useRemoveTemplateMutation,
} = templatesApi
