import type { SignUpMode } from '../../platform/identity/identity-provider.ts';

const disabled = {
  enabled: false,
  required: false,
  used_for_first_factor: false,
  first_factors: [],
  used_for_second_factor: false,
  second_factors: [],
  verifications: [],
  verify_at_sign_up: false,
};

/**
 * Returns the environment that the browser library fetches first. It offers sign-in by e-mail address and password, by
 * passkey where there are any, or by ticket.
 */
export function getEnvironment(instanceId: string, signUpMode: SignUpMode, hasPasskeys: boolean): object {
  return {
    object: 'environment',
    id: instanceId,
    auth_config: {
      object: 'auth_config',
      id: instanceId,
      identification_requirements: [['email_address']],
      first_factors: ['password', 'ticket', ...(hasPasskeys ? ['passkey'] : [])],
      second_factors: ['totp', 'backup_code'],
      email_address_verification_strategies: [],
      single_session_mode: true,
      enhanced_email_deliverability: false,
      test_mode: false,
      cookieless_dev: false,
      url_based_session_syncing: false,
      demo: false,
      claimed_at: null,
      reverification: false,
    },
    display_config: {
      object: 'display_config',
      id: instanceId,
      instance_environment_type: 'production',
      application_name: 'Tally',
      theme: {},
      preferred_sign_in_strategy: 'password',
      logo_image_url: '',
      favicon_image_url: '',
      home_url: '/',
      sign_in_url: '/sign-in',
      sign_up_url: '/sign-up',
      after_sign_in_url: '/dashboard',
      after_sign_up_url: '/dashboard',
      after_sign_out_all_url: '/sign-in',
      branded: false,
      captcha_public_key: null,
      captcha_widget_type: null,
      captcha_provider: null,
      captcha_oauth_bypass: [],
      captcha_heartbeat: false,
      support_email: '',
      show_devmode_warning: false,
    },
    user_settings: {
      attributes: {
        email_address: { ...disabled, enabled: true, required: true, used_for_first_factor: true },
        password: { ...disabled, enabled: true, required: true },
        first_name: { ...disabled, enabled: true },
        last_name: { ...disabled, enabled: true },
        phone_number: disabled,
        username: disabled,
        web3_wallet: disabled,
        authenticator_app: { ...disabled, enabled: true, used_for_second_factor: true, second_factors: ['totp'] },
        backup_code: { ...disabled, enabled: true, used_for_second_factor: true, second_factors: ['backup_code'] },
        ticket: { ...disabled, enabled: true },
        passkey: hasPasskeys
          ? { ...disabled, enabled: true, used_for_first_factor: true, first_factors: ['passkey'] }
          : disabled,
      },
      actions: { delete_self: true, create_organization: false },
      sign_in: { second_factor: { required: false } },
      sign_up: {
        captcha_enabled: false,
        captcha_widget_type: null,
        progressive: true,
        mode: signUpMode === 'open' ? 'public' : 'restricted',
        custom_action_required: false,
      },
      password_settings: {
        min_length: 8,
        max_length: 255,
        show_zxcvbn: false,
        min_zxcvbn_strength: 0,
        enforce_hibp_on_sign_in: false,
        disable_hibp: true,
      },
      passkey_settings: { allow_autofill: false, show_sign_in_button: hasPasskeys },
      saml: { enabled: false },
      enterprise_sso: { enabled: false },
      social: {},
      username_settings: { min_length: 4, max_length: 64 },
    },
    organization_settings: {
      enabled: false,
      max_allowed_memberships: 0,
      actions: { admin_delete: false },
      domains: { enabled: false, enrollment_modes: [], default_role: null },
    },
    commerce_settings: { billing: { enabled: false, has_paid_user_plans: false, has_paid_org_plans: false } },
    maintenance_mode: false,
  };
}
