// The headers that sources share are precompiled with this file.
