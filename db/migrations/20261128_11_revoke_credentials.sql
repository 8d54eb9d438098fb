-- A password that is reset or changed takes the member's API keys and assistant tokens back in the same transaction.

create function public.revoke_api_keys_of(p_idp_id text)
returns void language plpgsql set search_path = '' as $$
begin
  update public.api_keys k set revoked_at = now()
    from public.organisations o
   where o.id = k.organisation_id and o.owner_idp_id = p_idp_id and k.revoked_at is null;
end
$$;

create function public.revoke_assistant_tokens_of(p_idp_id text)
returns void language plpgsql set search_path = '' as $$
begin
  update public.assistant_tokens t set revoked_at = now() where t.idp_id = p_idp_id and t.revoked_at is null;
end
$$;

-- Every credential of the member that is not the identity provider's.
create function public.revoke_credentials_of(p_idp_id text)
returns void language plpgsql set search_path = '' as $$
begin
  perform public.revoke_api_keys_of(p_idp_id);
  perform public.revoke_assistant_tokens_of(p_idp_id);
end
$$;

revoke execute on function public.revoke_api_keys_of(text), public.revoke_assistant_tokens_of(text), public.revoke_credentials_of(text) from public;
grant execute on function public.revoke_api_keys_of(text), public.revoke_assistant_tokens_of(text), public.revoke_credentials_of(text) to service_role;
